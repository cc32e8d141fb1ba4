// Cards, dice, stones and tokens.

import { css } from "../vendor/lit.js";

export const pieceStyles = css`
  .glyph { width: 1em; height: 1em; fill: currentColor; display: block; }

  .die-block { display: block; width: 3.25rem; overflow: visible; --die: var(--line-strong); --mark: var(--surface); }
  .die-block.tone-reality, .die-block.tone-space, .die-block.tone-time, .die-block.tone-power { --die: var(--tone); }
  .die-block.tone-gold { --die: var(--mind); --mark: light-dark(var(--surface), var(--sunken)); }
  .die-block.tone-night { --die: var(--night); }
  .die-side { fill: color-mix(in oklab, var(--die) 62%, black); }
  .die-face { fill: var(--die); }
  .tone-night .die-face { stroke: var(--line-strong); }
  .die-light { fill: white; opacity: .38; }
  .die-light.faint { opacity: .09; }
  .die-mark { fill: var(--mark); }
  .die-corner { opacity: .8; }
  .gem-body { fill: var(--tone); stroke: color-mix(in oklab, var(--tone) 55%, black); stroke-width: 1.2; }
  .gem-facets { fill: none; stroke: white; stroke-opacity: .6; stroke-width: 1; }
  .glove { fill: light-dark(color-mix(in oklab, var(--mind) 55%, var(--surface)), color-mix(in oklab, var(--mind) 45%, var(--surface))); stroke: var(--ink); stroke-width: 2; stroke-linejoin: round; }
  .cuff { fill: var(--mind); stroke: var(--ink); stroke-width: 2; stroke-linejoin: round; }
  .glove-lines { fill: none; stroke: var(--ink); stroke-width: 1.5; opacity: .55; }
  .socket { fill: var(--night); stroke: var(--ink); stroke-width: 1; }
  .titan-skin { fill: light-dark(color-mix(in oklab, var(--power) 75%, white), color-mix(in oklab, var(--power) 80%, black)); }
  .titan-armour { fill: color-mix(in oklab, var(--space) 60%, black); }
  .titan-gold { fill: light-dark(color-mix(in oklab, var(--mind) 85%, white), var(--mind)); }
  .titan-eyes { fill: white; }
  .titan-lines { fill: none; stroke: color-mix(in oklab, var(--power) 50%, black); stroke-width: 1.8; stroke-linecap: round; }

  .asset { position: relative; flex: 1; min-width: 0; display: grid; grid-template-columns: 3.5rem minmax(0, 1fr) auto; align-items: stretch; padding: 0; overflow: hidden; border-radius: var(--radius-s); border: 1.5px solid var(--tone); background: var(--surface); box-shadow: 0 1px 3px var(--shade); }
  .emblem { position: relative; display: flex; flex-direction: column; justify-content: center; background: linear-gradient(160deg, var(--tone-wash), color-mix(in oklab, var(--tone) 28%, var(--tone-wash))); }
  .sigil { width: 100%; display: block; }
  .sigil .far { fill: var(--tone); opacity: .32; }
  .sigil .near { fill: var(--tone); opacity: .8; }
  .sigil .core { fill: var(--surface); stroke: var(--tone-ink); stroke-width: 5; }
  .is-villain { --tone: light-dark(var(--ink), var(--mind)); --tone-ink: var(--mind-ink); }
  .is-villain .emblem { background: repeating-linear-gradient(135deg, var(--night) 0 6px, color-mix(in oklab, var(--night) 86%, var(--mind)) 6px 12px); }
  .is-villain .sigil .near { fill: light-dark(color-mix(in oklab, var(--mind) 80%, white), var(--mind)); opacity: 1; } .is-villain .sigil .far { fill: var(--reality); opacity: .75; } .is-villain .sigil .core { fill: var(--night); stroke: light-dark(color-mix(in oklab, var(--mind) 80%, white), var(--mind)); }
  .badge { display: grid; place-items: center; width: 1.35rem; height: 1.35rem; border-radius: 50%; background: var(--tone); color: var(--surface); font-size: .85rem; flex: none; }
  .emblem .badge { position: absolute; inset-block-start: .25rem; inset-inline-start: .25rem; }
  .print { min-width: 0; display: flex; flex-direction: column; gap: 2px; padding: var(--s2); }
  .card-name { font-weight: 700; line-height: 1.15; overflow-wrap: anywhere; }
  .asset .card-name { font-size: .9375rem; }
  .kind-line { font-size: .75rem; font-weight: 600; color: var(--tone-ink); display: flex; flex-wrap: wrap; gap: 0 var(--s2); line-height: 1.2; }
  .is-villain .kind-line { color: var(--ink); text-transform: uppercase; letter-spacing: .06em; font-size: .6875rem; }
  .kind-line em { color: var(--ink-soft); font-style: normal; }
  .text { font-size: .8125rem; line-height: 1.25; color: var(--ink-soft); }
  .wants { display: flex; flex-wrap: wrap; gap: 3px; margin-block-start: auto; padding-block-start: 3px; }
  .want { display: grid; place-items: center; width: 1.5rem; height: 1.5rem; border-radius: .35rem; border: 1.5px dashed var(--tone); color: var(--tone-ink); font-size: 1rem; }
  .want.filled { border-style: solid; background: var(--tone); color: var(--surface); box-shadow: 0 2px 0 color-mix(in oklab, var(--tone) 60%, black); }
  .health { display: flex; flex-direction: column; gap: 3px; justify-content: center; padding: var(--s1) .3rem; background: var(--sunken); border-inline-start: 1px solid var(--line); }
  .health span { width: .85rem; height: .85rem; border-radius: 3px; border: 1.5px solid var(--line-strong); background: var(--surface); }
  .health .hurt { border-color: var(--reality); background: linear-gradient(45deg, transparent 42%, var(--surface) 42% 58%, transparent 58%), linear-gradient(-45deg, transparent 42%, var(--surface) 42% 58%, transparent 58%), var(--reality); }
  .is-down { border-color: var(--reality); border-style: double; border-width: 4px; }
  .is-spent .emblem { opacity: .55; }

  .line-card { flex: 1; min-width: 0; display: flex; align-items: center; gap: var(--s2); min-height: 2rem; padding: 2px var(--s2) 2px 2px; border: 1px solid var(--line); border-radius: var(--pill); background: var(--surface); }
  .line-card .card-name { flex: 1; min-width: 0; font-size: var(--text-s); font-weight: 600; }
  :is(.line-card, .answer-button) .health { flex-direction: row; background: none; border: 0; padding: 0; gap: 2px; }
  :is(.line-card, .answer-button) .health span { width: .65rem; height: .65rem; border-width: 1px; }
  .line-card .badge { width: 1.6rem; height: 1.6rem; }

  .coin { display: inline-grid; place-items: center; width: 1.75rem; height: 1.75rem; flex: none; border-radius: 50%; font-size: 1rem; color: var(--surface); background: var(--tone); box-shadow: inset 0 0 0 2px color-mix(in oklab, var(--tone) 70%, white), 0 1px 0 color-mix(in oklab, var(--tone) 60%, black); }
  .token { display: inline-flex; align-items: center; gap: var(--s1); min-height: 2rem; padding: 1px var(--s2) 1px 2px; border: 1px solid var(--line); border-radius: var(--pill); background: var(--surface); font-size: .8125rem; }
  .token.is-new { opacity: .75; border-style: dashed; }
  .back { flex: none; width: 1.5rem; height: 2.1rem; border-radius: 4px; border: 2px solid var(--line-strong); background: repeating-linear-gradient(45deg, var(--night) 0 3px, color-mix(in oklab, var(--night) 70%, var(--power)) 3px 6px); box-shadow: 2px 2px 0 var(--line-strong); }
  .back-token { width: 1.7rem; height: 1.7rem; border-radius: 50%; }

  .open:not(.sector) { border: 2px dashed var(--space); box-shadow: 0 0 0 3px var(--space-wash), 0 2px 8px var(--shade); }
  .asset.open::after, .stone.open::after { content: ""; position: absolute; inset-block-end: 3px; inset-inline-start: 3px; width: 1.4rem; height: 1.4rem; border-radius: 50%; border: 2px solid var(--surface);
    background: linear-gradient(var(--surface) 0 0) center / .7rem 2.5px no-repeat, linear-gradient(var(--surface) 0 0) center / 2.5px .7rem no-repeat, var(--space); }
  .stone.open::after { inset-block: 1px auto; inset-inline: auto 1px; width: 1.2rem; height: 1.2rem; }
  .line-card.open::before { content: ""; order: 9; width: 1.2rem; height: 1.2rem; border-radius: 50%; background: linear-gradient(var(--surface) 0 0) center / .6rem 2px no-repeat, linear-gradient(var(--surface) 0 0) center / 2px .6rem no-repeat, var(--space); }
  .open.answer:not(.sector) { border-style: solid; background: var(--space-wash); }
  .picked { outline: 3px solid var(--space); outline-offset: 2px; }
  @media (hover: hover) { .open:hover { transform: translateY(-2px); } }
  @media (prefers-reduced-motion: reduce) { .open:hover { transform: none; } }
`;
