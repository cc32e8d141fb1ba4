// The near edge: it stays in sight while the board is scrolled, above the site's own bar on a phone.

import { css } from "../vendor/lit.js";

export const dockStyles = css`
  .dock { position: sticky; inset-block-end: 0; z-index: 2; display: flex; flex-direction: column; gap: var(--s2); padding: var(--s3); max-height: 60vh; overflow-y: auto; border-radius: var(--radius) var(--radius) 0 0; border: 1px solid var(--line-strong); border-block-start: 3px solid var(--line-strong); background: var(--raised); box-shadow: 0 -6px 20px var(--shade); }
  .dock.is-mine { border-block-start-color: var(--time); }
  @media (max-width: 47.99rem) { .dock { inset-block-end: calc(4rem + env(safe-area-inset-bottom)); } }
  .asked { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 var(--s3); }
  .question { font-size: var(--text-m); font-weight: 700; line-height: 1.25; }
  .who { border-block-end: 3px solid var(--seat); }
  .hint { font-size: var(--text-s); color: var(--ink-soft); line-height: 1.3; }
  .hint b { color: var(--ink); }
  .warning { color: var(--reality-ink); font-weight: 650; }
  .helping { color: var(--space-ink); font-weight: 600; }
  .tray { display: flex; flex-wrap: wrap; gap: var(--s2); padding: var(--s2) var(--s3); border-radius: var(--radius-s); background: color-mix(in oklab, var(--sunken) 88%, var(--power)); box-shadow: inset 0 2px 6px var(--shade); }
  .die { display: block; padding: 4px; border: 2px solid transparent; border-radius: .9rem; background: none; }
  .die.open { border-style: dashed; background: var(--surface); }
  .answers { display: flex; flex-wrap: wrap; gap: var(--s2); align-items: stretch; }
  .answers:empty { display: none; }
  .answer-button, .act { display: inline-flex; align-items: center; gap: var(--s2); min-height: var(--tap); padding: var(--s1) var(--s3); border-radius: var(--radius-s); border: 2px solid var(--space); background: var(--surface); font-size: var(--text-s); font-weight: 600; }
  .answer-button:hover { background: var(--space-wash); }
  .answer-button .die-block { width: 1.9rem; flex: none; }
  .answer-button .gem-picture { width: 1.4rem; flex: none; }
  .token-button { border-style: dashed; border-color: var(--mind); font-weight: 500; }
  .act { justify-content: center; background: var(--button); border-color: var(--button); color: var(--on-button); font-weight: 700; padding-inline: var(--s5); }
  .act:hover { background: var(--button-hover); }
  .act.quiet { background: none; color: var(--ink); border-color: var(--line-strong); padding-inline: var(--s4); }
  .act.quiet:hover { background: var(--sunken); }
  .sector .act { min-height: 2.5rem; }
  .base-choice { flex: 1 1 13rem; flex-direction: column; align-items: flex-start; gap: 2px; padding: var(--s2) var(--s3); }
  .base-choice .text { font-weight: 400; }
  .picked-up { display: flex; flex-direction: column; gap: var(--s2); }
  @container stage (min-width: 44rem) {
    .dock { flex-flow: row wrap; align-items: center; gap: var(--s2) var(--s4); }
    .asked { flex-basis: 100%; }
  }
  @container stage (max-width: 43.99rem) {
    .dock { padding: var(--s2) var(--s3); } .tray { padding: var(--s1) var(--s2); gap: var(--s1); } .tray .die-block { width: 2.75rem; } .die { padding: 2px; }
  }
`;
