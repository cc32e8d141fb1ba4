// The looks of the table. Cards, tiles and stones are night-dark and bright in both themes: `color-scheme: dark` on
// them picks the dark form of every colour of the site.

import { css } from "../vendor/lit.js";

const pieces = css`
  :host { display: block; font-family: var(--font); color: var(--ink); line-height: 1.3; }
  * { box-sizing: border-box; }
  h2, h3, p, ul { margin: 0; padding: 0; }
  ul { list-style: none; }
  button { font: inherit; color: inherit; margin: 0; cursor: pointer; }
  :focus-visible { outline: 3px solid var(--space); outline-offset: 2px; }
  .ask:focus { outline: none; }
  .quiet { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
  .soft { color: var(--ink-soft); font-size: var(--text-s); }

  .yellow { --gem: var(--mind); --wash: var(--mind-wash); }
  .blue { --gem: var(--space); --wash: var(--space-wash); }
  .purple { --gem: var(--power); --wash: var(--power-wash); }
  .red { --gem: var(--reality); --wash: var(--reality-wash); }
  .orange { --gem: var(--soul); --wash: var(--soul-wash); }
  .green { --gem: var(--time); --wash: var(--time-wash); }
  .grey { --gem: var(--ink-soft); --wash: var(--raised); }

  .gem { color-scheme: dark; width: 1.25rem; height: 1.25rem; flex: none; overflow: visible; }
  .gem path { fill: var(--gem); stroke: var(--sunken); stroke-width: 1.2; stroke-linejoin: round; }
  .gem text { font: 800 11.5px var(--font); text-anchor: middle; fill: var(--sunken); }
  .gem.hollow path { fill: none; stroke: var(--line-strong); stroke-width: 1.6; stroke-dasharray: 3 2; }
  .gem.hollow text { fill: var(--line-strong); }

  .tag { display: inline-block; width: .95em; height: 1.05em; background: var(--ink); clip-path: polygon(50% 0, 100% 100%, 72% 100%, 62% 74%, 38% 74%, 28% 100%, 0 100%); }

  .face, .back { color-scheme: dark; color: var(--ink); position: relative; display: grid; width: 100%; height: 100%; overflow: hidden; border-radius: var(--radius-s); border: 1px solid var(--line); isolation: isolate; }
  .face { grid-template: auto 1fr auto / minmax(0, 1fr); padding: .25rem; gap: .1rem; background: radial-gradient(circle at 65% 35%, color-mix(in srgb, var(--gem) 34%, var(--wash)), var(--wash) 55%, var(--sunken)); text-align: start; border-color: color-mix(in srgb, var(--gem) 55%, var(--sunken)); }
  .pattern { position: absolute; inset: 0; width: 100%; height: 100%; z-index: -2; opacity: .2; fill: none; stroke: var(--gem); stroke-width: 2; }
  .pattern .tint { fill: var(--gem); stroke: none; }
  .sign { fill: color-mix(in srgb, var(--gem) 30%, transparent); stroke: var(--gem); stroke-width: 2.2; stroke-linejoin: round; stroke-linecap: round; }
  .face > .sign { position: absolute; z-index: -1; width: 3.1rem; height: 3.1rem; left: 50%; top: 1.1rem; transform: translateX(-50%); opacity: .9; }
  .top { display: flex; align-items: flex-start; justify-content: space-between; gap: .2rem; min-height: 1.5rem; }
  .top .points { font-size: 1.5rem; font-weight: 800; line-height: 1; min-width: .9rem; text-shadow: 0 1px 3px var(--sunken); }
  .stone { position: absolute; inset: 1.85rem auto auto .3rem; }
  .stone .gem { display: block; width: .95rem; height: .95rem; }
  .tags { display: inline-flex; gap: .1rem; font-size: .8rem; }
  .top .tags { position: absolute; inset: 1.9rem .5rem auto auto; flex-direction: column; gap: .15rem; }
  .bonus .gem { width: 1.55rem; height: 1.55rem; display: block; }
  .face > .name { align-self: end; font-size: .68rem; letter-spacing: -.035em; font-weight: 650; line-height: 1.1; text-shadow: 0 0 3px var(--sunken), 0 0 6px var(--sunken); overflow-wrap: anywhere; hyphens: auto; }
  .pips { display: flex; flex-wrap: wrap; gap: .1rem .25rem; }
  .pip { display: inline-flex; align-items: center; gap: .12rem; font-size: .85rem; font-weight: 800; line-height: 1; }
  .pip .gem { width: 1rem; height: 1rem; }
  .face .pips { padding: .15rem .25rem; margin: .1rem -.25rem -.25rem; background: color-mix(in srgb, var(--sunken) 72%, transparent); min-height: 1.4rem; align-items: center; }
  .pip.covered { color: var(--ink-soft); font-weight: 500; }
  .pip.covered .gem { opacity: .6; }
  .pip.covered text { font-size: 15px; }

  .back { place-items: center; background: repeating-linear-gradient(45deg, var(--surface) 0 6px, var(--raised) 6px 12px); border-color: var(--line-strong); }
  .back::before { content: ""; position: absolute; inset: .3rem; border: 1px solid var(--line-strong); border-radius: .35rem; }
  .back .numeral { font-size: 1.5rem; font-weight: 800; color: var(--mind); text-shadow: 0 1px 4px var(--sunken); }
  .back .count { position: absolute; inset-block-end: .45rem; font-size: .8rem; font-weight: 700; background: var(--sunken); padding: .05rem .4rem; border-radius: var(--pill); }
  .empty { display: block; width: 100%; height: 100%; border: 2px dashed var(--line); border-radius: var(--radius-s); }
`;

const table = css`
  .table { position: relative; display: flex; flex-direction: column; gap: var(--s3); }
  .sky { position: absolute; inset: 0; pointer-events: none; z-index: 20; }
  .side { display: grid; gap: var(--s2); }
  .side h2, .hand h3 { font-size: var(--text-s); font-weight: 650; color: var(--ink-soft); }
  .places ul { display: flex; gap: var(--s2); }
  .places li { flex: 1 1 0; min-width: 0; }
  .places h2 { display: none; }
  .places li > span { display: block; height: 4.1rem; }
  .places ul:has(li:nth-child(4)) { display: grid; grid-template-columns: 1fr 1fr; }
  .places .name { padding-inline-end: .9rem; }
  .place { --gem: var(--time); --wash: var(--time-wash); grid-template-rows: 1fr auto auto; }
  .place > .top { position: absolute; inset: .3rem .4rem auto auto; }
  .place .points { font-size: 1.1rem; }
  .face.place > .sign { inset-inline: auto .9rem; left: auto; right: .8rem; top: .35rem; width: 2.4rem; height: 2.4rem; transform: none; opacity: .4; }
  .avengers { display: flex; align-items: center; gap: var(--s2); padding: var(--s2) var(--s3); border: 1px dashed var(--line-strong); border-radius: var(--radius-s); font-size: var(--text-s); line-height: 1.25; background: var(--surface); }
  .avengers.held { border-style: solid; }
  .avengers > .tag { font-size: 1.5rem; flex: none; }

  .market { display: grid; gap: var(--s3); align-content: start; }
  .row { display: grid; grid-template-columns: 2.1rem repeat(4, minmax(0, 1fr)); gap: .3rem; }
  .slot { position: relative; min-width: 0; height: 8rem; perspective: 40rem; }
  .slot:has(.choice) { z-index: 6; }
  .row:not(:has([data-card])) .slot { height: 2rem; }
  .card-holder { display: block; width: 100%; height: 100%; padding: 0; border: 0; background: none; border-radius: var(--radius-s); }
  .can { position: relative; scroll-margin-block: 6rem 15rem; }
  .can .face, .can .back { transition: filter var(--ease); }
  .can:hover .face, .can:hover .back { filter: brightness(1.2); }
  .recruitable { box-shadow: 0 0 0 3px var(--time), 0 4px 14px var(--shade); }
  .flag { position: absolute; inset-block-start: -.55rem; inset-inline: 0; margin-inline: auto; width: max-content; max-width: 100%; padding: 0 .4rem; border-radius: var(--pill); background: var(--time-ink); color: var(--surface); font-size: .7rem; font-weight: 750; line-height: 1.1rem; z-index: 1; }
  .fold { position: absolute; inset: auto 0 0 auto; width: 1rem; height: 1rem; background: linear-gradient(135deg, transparent 50%, var(--line-strong) 50%); border-end-end-radius: var(--radius-s); }
  .choice { color-scheme: dark; position: absolute; inset: 0; z-index: 5; display: flex; flex-direction: column; justify-content: center; gap: .4rem; padding: .1rem; border-radius: var(--radius-s); background: color-mix(in srgb, var(--sunken) 60%, transparent); }
  .deck .choice { inset-inline-end: auto; min-width: 100%; width: max-content; max-width: 9rem; background: none; }
  .choice button, .answer { min-height: var(--tap); padding: .2rem .3rem; border-radius: var(--radius-s); border: 2px solid var(--button); background: var(--surface); color: var(--ink); font-size: .82rem; font-weight: 700; line-height: 1.1; overflow-wrap: break-word; scroll-margin-block: 6rem 15rem; box-shadow: 0 2px 8px var(--shade); }
  .row .choice button, .hand .choice button { padding-inline: 0; font-size: .7rem; letter-spacing: -.02em; }
  .row .deck .choice button { padding-inline: .6rem; }
  .choice .first, .answer.first { background: var(--button); color: var(--on-button); }
  .choice button:hover, .answer:hover { filter: brightness(1.15); }
  [aria-expanded="true"] .flag { visibility: hidden; }

  .bar { position: sticky; bottom: calc(4.3rem + env(safe-area-inset-bottom)); z-index: 10; display: grid; gap: var(--s2); padding: var(--s2) var(--s3); margin-inline: calc(-1 * var(--s1)); border: 1px solid var(--line); border-radius: var(--radius); background: var(--raised); box-shadow: 0 -4px 18px var(--shade); }
  .bar.asking { border: 2px solid var(--time); }
  .bar { grid-template-columns: minmax(0, 1fr); }
  .ask { font-size: 1rem; font-weight: 700; min-height: 1.3em; }
  .stalling { grid-column: 1 / -1; font-size: var(--text-s); font-weight: 600; }
  .purse { display: flex; align-items: center; gap: var(--s2); font-size: var(--text-s); color: var(--ink-soft); }
  .purse .columns { flex: 1; max-width: 24rem; color: var(--ink); }
  .purse .column .gives.none { display: none; }
  .panel { display: flex; flex-wrap: wrap; align-items: center; gap: var(--s2) var(--s4); }
  .supply { display: grid; grid-template-columns: repeat(7, minmax(0, 3.8rem)); gap: .35rem; flex: 1 1 auto; max-width: 30rem; }
  .token { position: relative; display: flex; align-items: center; justify-content: center; gap: .2rem; width: 100%; height: 3rem; padding: 0; border: 1px solid var(--line); border-radius: var(--radius-s); background: var(--surface); font-size: 1.05rem; }
  .token .gem { width: 1.4rem; height: 1.4rem; }
  .token.none { border-style: dashed; }
  .token.none .gem { opacity: .35; }
  .token.can { border: 2px solid var(--button); box-shadow: 0 2px 6px var(--shade); scroll-margin-block-end: 1rem; }
  .token.can:hover { background: var(--sunken); }
  .plus { position: absolute; inset: -.5rem -.35rem auto auto; width: 1.1rem; height: 1.1rem; border-radius: var(--pill); background: var(--button); color: var(--on-button); font-size: .9rem; font-weight: 800; line-height: 1.05rem; text-align: center; }
  .tray { display: inline-flex; align-items: center; gap: .3rem; min-height: 2.2rem; padding: .2rem .7rem; border-radius: var(--pill); background: var(--sunken); font-size: var(--text-s); font-weight: 600; }
  .tray .gem { width: 1.5rem; height: 1.5rem; }
  .answers { display: flex; flex-wrap: wrap; gap: var(--s2); }
  .answer { display: inline-flex; align-items: center; gap: .4rem; padding-inline: .8rem; font-size: var(--text-s); }
  .paying { display: flex; align-items: center; gap: var(--s3); flex: 1 1 18rem; }
  .visits { display: flex; gap: var(--s2); flex: 1 1 auto; }
  .visits li { flex: 0 1 11rem; min-width: 0; }
  .visit { display: block; width: 100%; height: 5rem; padding: 0; border: 0; border-radius: var(--radius-s); background: none; box-shadow: 0 0 0 3px var(--time); }
`;

const boards = css`
  .others { order: 1; display: grid; gap: var(--s2); grid-template-columns: repeat(auto-fit, minmax(min(100%, 16rem), 1fr)); }
  .board { border: 1px solid var(--line); border-inline-start: 4px solid var(--seat); border-radius: var(--radius-s); background: var(--surface); padding: var(--s2) var(--s3); display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--s2); min-width: 0; align-content: start; }
  [data-board="0"] { --seat: var(--seat-0); }
  [data-board="1"] { --seat: var(--seat-1); }
  [data-board="2"] { --seat: var(--seat-2); }
  [data-board="3"] { --seat: var(--seat-3); }
  .board.is-to-act { box-shadow: 0 0 0 2px var(--time); }
  .crest { display: flex; align-items: center; flex-wrap: wrap; gap: var(--s1) var(--s2); font-size: 1rem; font-weight: 650; min-width: 0; }
  .who { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  .badge { font-size: .72rem; font-weight: 650; padding: .05rem .5rem; border-radius: var(--pill); }
  .acts { background: var(--time-wash); color: var(--time-ink); }
  .won { background: var(--mind-wash); color: var(--mind-ink); }
  .gauntlet { display: grid; grid-template-columns: auto minmax(2rem, 1fr) auto; align-items: center; gap: var(--s2); }
  .score b { font-size: 1.3rem; font-weight: 800; }
  .score span { color: var(--ink-soft); font-size: var(--text-s); margin-inline-start: .25rem; }
  .progress { width: 100%; height: .4rem; border-radius: var(--pill); background: var(--sunken); overflow: hidden; }
  .progress rect { fill: var(--mind); transition: width 400ms ease-out; }
  .stones { display: inline-flex; gap: .15rem; }
  .stones .gem { width: 1.1rem; height: 1.1rem; }
  .stones .gem.hollow { color-scheme: inherit; }
  .gauntlet.assembled .stones { border-radius: var(--pill); box-shadow: 0 0 0 3px var(--mind); }
  .columns { display: grid; grid-template-columns: repeat(5, minmax(0, 1fr)) auto; gap: .15rem; max-width: 28rem; }
  .column { display: flex; align-items: center; justify-content: center; gap: .15rem; font-size: .85rem; }
  .gives { color-scheme: dark; display: inline-grid; place-items: center; min-width: 1.15rem; height: 1.4rem; padding-inline: .15rem; border-radius: .25rem; background: var(--gem); color: var(--sunken); font-weight: 800; font-size: .85rem; }
  .column .gives { min-width: 1rem; padding: 0; }
  .gives.none { background: none; color-scheme: inherit; color: var(--ink-soft); border: 1px dashed var(--line-strong); font-weight: 500; }
  .column .gives.none { visibility: hidden; }
  .column.grey .gives { display: none; }
  @container rival (max-width: 19rem) {
    .column { flex-direction: column; gap: .1rem; }
    .column.grey .gives { display: inline-grid; }
    .rival .acts { font-size: 0; }
    .rival .acts::before { content: "▶" / ""; font-size: .72rem; }
  }
  .has { display: inline-flex; align-items: center; gap: .1rem; }
  .has .gem { width: .95rem; height: .95rem; }
  .has.none { color: var(--ink-soft); }
  .has.none .gem { opacity: .3; }
  .won-tiles, .extras { display: flex; flex-wrap: wrap; gap: var(--s1); }
  .extras:empty { display: none; }
  .chip { display: inline-flex; align-items: center; gap: .3rem; padding: .1rem .5rem; border-radius: var(--pill); border: 1px solid var(--line); font-size: .78rem; }
  .chip .sign { width: 1rem; height: 1rem; --gem: var(--time); }
  .chip.tile { border-color: var(--ink); font-weight: 650; }
  .rival { container: rival / inline-size; gap: .35rem; padding-block: .4rem; }
  .rival header { display: flex; flex-wrap: wrap; align-items: center; gap: 0 var(--s3); }
  .rival .crest { flex: 1 1 auto; }
  .rival .gauntlet { grid-template-columns: auto auto; position: relative; padding-bottom: .3rem; }
  .rival .progress { position: absolute; inset: auto 0 0; height: .2rem; }
  .rival .columns { justify-items: start; }
  .rival .stones .gem { width: 1rem; height: 1rem; }
  .extras > ul { display: contents; }
  .slip { color-scheme: dark; display: inline-flex; align-items: center; gap: .3rem; min-height: 1.5rem; padding: .1rem .4rem; border-radius: .35rem; border: 1px solid color-mix(in srgb, var(--gem) 55%, var(--sunken)); background: var(--wash); color: var(--ink); font-size: .75rem; }
  .extras li, .extras li > span { min-width: 0; max-width: 100%; }
  .slip { max-width: 100%; }
  .slip .name { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  .slip > .gem { width: 1rem; height: 1rem; }
  .slip .pips { flex-wrap: nowrap; padding-inline-start: .3rem; border-inline-start: 1px solid var(--line-strong); }
  .slip .pip { font-size: .75rem; }
  .slip .pip .gem { width: .85rem; height: .85rem; }
  .slip.back { width: auto; height: auto; border-color: var(--line-strong); background: repeating-linear-gradient(45deg, var(--surface) 0 4px, var(--raised) 4px 8px); font-weight: 800; }
  .slip.back::before { content: none; }
  .slip.back .numeral { font-size: .9rem; }
  .mini { display: block; width: 4.6rem; height: 5.6rem; flex: none; }
  .mini > span:not(.face) { display: block; height: 100%; }
  .mini .face { padding: .2rem; }
  .mini .face > .sign { width: 2rem; height: 2rem; top: .8rem; }
  .mini .face .pips { margin: 0 -.2rem -.2rem; padding: .1rem .2rem; }
  .mini .pip { font-size: .72rem; }
  .mini .pip .gem { width: .8rem; height: .8rem; }
  .mini .top .points { font-size: 1.1rem; }
  .mini .bonus .gem { width: 1.15rem; height: 1.15rem; }
  .mini .stone, .mini .top .tags { top: 1.4rem; }
  .mini .face > .name { font-size: .66rem; }

  .mine { padding: var(--s3); }
  .mine header { display: grid; gap: var(--s2); }
  .mine .crest { font-size: var(--text-l); }
  .mine .score b { font-size: 1.75rem; }
  .mine .stones .gem { width: 1.5rem; height: 1.5rem; }
  .own { display: grid; gap: var(--s3); }
  .stacks { display: grid; grid-template-columns: repeat(6, minmax(0, 1fr)); gap: .3rem; align-items: start; }
  .stack { min-width: 0; }
  .sum { display: flex; flex-wrap: wrap; align-items: center; justify-content: center; gap: .3rem; padding: .3rem .1rem; border-radius: var(--radius-s); background: var(--sunken); font-size: 1.05rem; }
  .sum .gives { min-width: 1.4rem; height: 1.75rem; font-size: 1.05rem; }
  .sum .gem { width: 1.35rem; height: 1.35rem; }
  .stack ul { display: grid; grid-template-columns: minmax(0, 1fr); gap: 2px; margin-top: 2px; }
  .tab { color-scheme: dark; display: flex; align-items: center; gap: .2rem; min-height: 1.35rem; padding: .05rem .25rem; border-radius: .3rem; background: linear-gradient(90deg, var(--wash), color-mix(in srgb, var(--gem) 26%, var(--wash))); color: var(--ink); font-size: .72rem; }
  .tab .sign { width: 1.1rem; height: 1.1rem; flex: none; }
  .tab .name { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
  .tab .points { margin-inline-start: auto; font-weight: 800; font-size: .8rem; }
  .tab .tags { font-size: .65rem; }
  .all { margin-top: .3rem; text-align: center; font-size: .75rem; color: var(--ink-soft); overflow-wrap: anywhere; }
  .hand { display: grid; gap: var(--s1); }
  .hand ul { display: flex; gap: var(--s2); padding-top: .4rem; }
  .hand .slot { flex: 0 1 7rem; height: auto; }
  .hand .card-holder { height: 8rem; }
  .hand .choice { inset-block-end: auto; height: 8rem; }
  .secret { display: block; margin-top: .15rem; color: var(--ink-soft); font-size: .72rem; line-height: 1.15; text-align: center; }
`;

const wide = css`
  @container stage (min-width: 30rem) {
    .row { gap: var(--s2); }
    .face > .name { font-size: .8rem; letter-spacing: -.01em; }
    .token .gem { width: 1.6rem; height: 1.6rem; }
  }
  @container stage (min-width: 44rem) {
    .table { display: grid; grid-template-columns: minmax(0, 1fr) 11.5rem; grid-template-areas: "others others" "market side" "bar bar" "mine mine"; gap: var(--s3) var(--s4); }
    .others { grid-area: others; }
    .side { grid-area: side; align-content: start; }
    .market { grid-area: market; }
    .bar { grid-area: bar; margin-inline: 0; grid-template-columns: minmax(0, 1fr) minmax(0, 25rem); }
    .panel { grid-column: 1 / -1; }
    .purse .columns { max-width: none; }
    .mine { grid-area: mine; }
    .others, .side { order: 0; }
    .row { grid-template-columns: 4.4rem repeat(4, minmax(0, 1fr)); gap: var(--s3); }
    .places h2 { display: block; }
    .place .points { font-size: 1.5rem; }
    .face.place > .sign { opacity: .6; }
    .places .name { padding-inline-end: 1.2rem; }
    .places li > span { height: 4.6rem; }
    .top { justify-content: flex-start; }
    .top .bonus { margin-inline-start: auto; }
    .stone, .top .tags { position: static; flex-direction: row; gap: .1rem; padding-top: .2rem; }
    .places ul, .places ul:has(li:nth-child(4)) { display: flex; flex-direction: column; }
    .places li { flex: none; }
    .face:not(.place) > .sign { width: 3.9rem; height: 3.9rem; top: .9rem; }
    .mini .face:not(.place) > .sign { width: 2rem; height: 2rem; top: .8rem; }
    .mini .face > .name { font-size: .66rem; }
    .pip { font-size: .92rem; }
    .face:not(.place) .pips { gap: .1rem .2rem; }
    .mine header { grid-template-columns: auto minmax(16rem, 26rem); justify-content: space-between; align-items: center; }
    .own { grid-template-columns: minmax(0, 1fr) auto; }
    .hand .slot { flex-basis: 6.6rem; }
    .tab .name { position: static; width: auto; height: auto; clip-path: none; text-overflow: ellipsis; }
    .tab .tags { margin-inline-start: auto; }
    .tab .tags + .points { margin-inline-start: 0; }
    .choice { padding: .5rem; }
    .row .choice button, .hand .choice button { font-size: .85rem; letter-spacing: 0; }
  }
  @container stage (min-width: 60rem) { .hand .slot { flex-basis: 8.4rem; } }
  @media (min-width: 48rem) { .bar { bottom: 0; } }
  @media (prefers-reduced-motion: reduce) { * { transition: none !important; } }
`;

export const styles = [pieces, table, boards, wide];
