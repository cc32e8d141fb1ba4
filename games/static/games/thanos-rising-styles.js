// How the table of Thanos Rising looks. Symbols, dice and stones share the colours of the six stones.

import { css } from "../vendor/lit.js";
import { dockStyles } from "./thanos-rising-dock-styles.js";
import { pieceStyles } from "./thanos-rising-piece-styles.js";

const board = css`
  :host { display: flex; flex-direction: column; gap: var(--s3); font: inherit; color: var(--ink);
    --night: light-dark(var(--ink), var(--sunken)); --on-night: light-dark(var(--paper), var(--ink)); --tone: var(--line-strong); --tone-ink: var(--ink); --tone-wash: var(--sunken); }
  * { box-sizing: border-box; }
  ul { list-style: none; margin: 0; padding: 0; }
  h2, p { margin: 0; }
  button { font: inherit; color: inherit; text-align: start; cursor: pointer; scroll-margin-block: 4rem 14rem; }
  button:focus-visible, .sectors:focus-visible { outline: 3px solid var(--space); outline-offset: 2px; }
  .tone-reality { --tone: var(--reality); --tone-ink: var(--reality-ink); --tone-wash: var(--reality-wash); }
  .tone-space { --tone: var(--space); --tone-ink: var(--space-ink); --tone-wash: var(--space-wash); }
  .tone-time { --tone: var(--time); --tone-ink: var(--time-ink); --tone-wash: var(--time-wash); }
  .tone-power { --tone: var(--power); --tone-ink: var(--power-ink); --tone-wash: var(--power-wash); }
  .tone-soul { --tone: var(--soul); --tone-ink: var(--soul-ink); --tone-wash: var(--soul-wash); }
  .tone-mind { --tone: var(--mind); --tone-ink: var(--mind-ink); --tone-wash: var(--mind-wash); }
  .seat-0 { --seat: var(--seat-0); } .seat-1 { --seat: var(--seat-1); } .seat-2 { --seat: var(--seat-2); } .seat-3 { --seat: var(--seat-3); }

  .standing { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: var(--s2); align-items: stretch; position: relative; }
  .tally { display: grid; grid-template-columns: 1fr auto; gap: 0 var(--s2); align-items: baseline; padding: var(--s2) var(--s3); border-radius: var(--radius-s); background: var(--surface); border: 1px solid var(--line); border-block-start: 3px solid var(--tone); }
  .tally-villains { --tone: var(--time); } .tally-heroes { --tone: var(--reality); } .tally-stones { --tone: var(--power); }
  .tally-name { font-size: var(--text-s); font-weight: 650; line-height: 1.2; }
  .tally-count { font-variant-numeric: tabular-nums; white-space: nowrap; font-size: var(--text-s); color: var(--ink-soft); }
  .tally-count b { font-size: var(--text-l); color: var(--ink); }
  .tally .pips { grid-column: 1; align-self: center; }
  .tally-end { font-size: .75rem; color: var(--ink-soft); text-align: end; }
  .pips { display: flex; gap: 3px; min-width: 0; }
  .pips i { flex: 0 1 .7rem; min-width: 0; aspect-ratio: 1; border-radius: 2px; border: 1.5px solid var(--line-strong); transform: rotate(45deg) scale(.8); }
  .pips i.on { background: var(--tone); border-color: var(--tone); }
  .turn-number { display: none; }

  .sectors { display: flex; gap: var(--s3); overflow-x: auto; scroll-snap-type: x mandatory; padding: 3px; margin: -3px; overscroll-behavior-x: contain; }
  .sector { flex: 0 0 calc(100% - 2.25rem); scroll-snap-align: start; scroll-margin-inline: 3px; min-width: 0; display: flex; flex-direction: column; gap: var(--s2); padding: var(--s2); border-radius: var(--radius); background: var(--sunken); border: 2px solid var(--line); }
  .sector.is-faced { border-color: var(--power); background: linear-gradient(var(--power-wash), var(--sunken) 60%); }
  .sector.is-deployed { outline: 3px solid var(--ink); outline-offset: -2px; }
  .sector.open { border-style: dashed; border-color: var(--space); }
  .sector header { display: flex; flex-wrap: wrap; align-items: center; gap: var(--s1); min-height: 1.9rem; padding-inline: var(--s1) 0; }
  .sector h2 { font-size: var(--text-s); font-weight: 750; letter-spacing: .02em; margin-inline-end: auto; }
  .sector ul { display: flex; flex-direction: column; gap: var(--s2); flex: 1; }
  .sector li { flex: 1; display: flex; }
  .flag { display: inline-flex; align-items: center; gap: var(--s1); padding: .1rem .5rem .1rem .25rem; border-radius: var(--pill); font-size: .75rem; font-weight: 650; background: var(--surface); border: 1.5px solid var(--seat, var(--power)); max-width: 100%; }
  .flag svg { width: 1.2rem; height: 1.2rem; flex: none; }
  .flag-thanos { color: var(--power-ink); background: var(--power-wash); }
  .banner path { fill: var(--seat); stroke: var(--ink); stroke-width: 1.5; }
  .gap { flex: 1; display: grid; place-items: center; min-height: 5rem; border: 2px dashed var(--line-strong); border-radius: var(--radius-s); color: var(--ink-soft); font-size: var(--text-s); }

  .middle { display: grid; gap: var(--s3); }
  .zone { display: flex; flex-wrap: wrap; justify-content: center; align-items: center; gap: var(--s2) var(--s4); }
  .dial { width: min(15rem, 100%); height: auto; flex: none; }
  .wedge { fill: var(--sunken); stroke: var(--line-strong); stroke-width: 1.5; }
  .wedge.is-faced { fill: var(--power-wash); stroke: var(--power); stroke-width: 3; }
  .beam { fill: var(--power); opacity: .55; transition: transform 500ms ease-in-out; }
  .beam-0 { transform: rotate(-58deg); } .beam-2 { transform: rotate(58deg); }
  :host([hurry]) .beam { transition: none; }
  .wedge-number { font: 700 17px var(--font); text-anchor: middle; fill: var(--ink); }
  .plinth { fill: var(--night); stroke: var(--mind); stroke-width: 2.5; }
  .deployed path { fill: var(--seat); stroke: var(--ink); stroke-width: 2; }
  .titan { transform: scale(.86); transform-origin: 0 0; }
  .omens { display: flex; flex-wrap: wrap; gap: var(--s2); max-width: 14rem; }
  .omens li { display: flex; align-items: center; gap: var(--s2); font-size: .8125rem; line-height: 1.2; color: var(--ink-soft); }
  .omens .die-block { width: 2.25rem; flex: none; }

  .stones { display: flex; align-items: center; gap: var(--s3); padding: var(--s3); border-radius: var(--radius); background: var(--surface); border: 1px solid var(--line); }
  .stones > ul { flex: 1; display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: var(--s2); }
  .stones li { display: flex; }
  .stone { position: relative; flex: 1; min-width: 0; display: flex; flex-direction: column; gap: 3px; align-items: center; min-height: var(--tap); padding: var(--s1) 2px; border-radius: var(--radius-s); border: 1.5px solid transparent; background: none; text-align: center; }
  .stone .gem-picture { width: 1.9rem; height: 1.9rem; }
  .stone-name { font-size: .8125rem; font-weight: 650; line-height: 1.15; }
  .stone .pips i { flex: none; width: .6rem; border-radius: 50%; transform: none; }
  .stone.is-taken { background: var(--tone-wash); border-color: var(--tone); }
  .stone-state { font-size: .75rem; font-weight: 700; color: var(--tone-ink); line-height: 1.1; }
  .gauntlet { width: 5.25rem; flex: none; }

  .others { display: grid; gap: var(--s2); grid-template-columns: repeat(auto-fit, minmax(min(100%, 17rem), 1fr)); }
  .team { display: flex; flex-direction: column; gap: var(--s2); padding: var(--s2) var(--s3); border-radius: var(--radius); background: var(--surface); border: 1px solid var(--line); border-inline-start: 4px solid var(--seat); }
  .team h2 { display: flex; flex-wrap: wrap; align-items: center; gap: var(--s2); font-size: 1rem; line-height: 1.25; overflow-wrap: anywhere; }
  .seat-mark { width: .75rem; height: .9rem; background: var(--seat); clip-path: polygon(0 0, 100% 0, 100% 60%, 50% 100%, 0 60%); }
  .tag { font-size: .75rem; font-weight: 650; padding: .1rem .5rem; border-radius: var(--pill); background: var(--time-wash); color: var(--time-ink); }
  .base { display: flex; flex-wrap: wrap; align-items: center; gap: var(--s1) var(--s2); min-height: 1.75rem; padding: 0; border: 0; background: none; font-size: var(--text-s); color: var(--ink-soft); }
  .base-name { text-decoration: underline; text-decoration-color: var(--line-strong); text-underline-offset: .2em; }
  .base-dice { display: inline-flex; gap: 2px; } .base-dice .die-block { width: 1.15rem; }
  .base .text { flex-basis: 100%; font-size: .8125rem; }
  .lines { display: flex; flex-direction: column; gap: 3px; }
  .lines li { display: flex; }
  .own { border-width: 2px; border-inline-start-width: 6px; border-color: var(--seat); background: linear-gradient(color-mix(in oklab, var(--seat) 9%, var(--surface)), var(--surface) 8rem); }
  .team-head { display: flex; flex-direction: column; gap: var(--s2); min-width: 0; }
  .heroes { display: grid; gap: var(--s2); grid-template-columns: repeat(auto-fill, minmax(min(100%, 16.5rem), 1fr)); }
  .heroes li { display: flex; }
  .tokens { display: flex; flex-wrap: wrap; gap: var(--s1) var(--s2); align-items: center; }
  .tokens .none { color: var(--ink-soft); font-size: .8125rem; }
  .piles { display: flex; flex-wrap: wrap; justify-content: center; gap: var(--s2) var(--s5); }
  .pile { display: flex; align-items: center; gap: var(--s2); font-size: .8125rem; color: var(--ink-soft); }
  .pile b { color: var(--ink); }

  @container stage (min-width: 44rem) {
    .sectors { overflow: visible; display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: var(--s2); }
    .middle { grid-template-columns: auto minmax(0, 1fr); align-items: center; }
    .zone { flex-wrap: nowrap; } .omens { flex-direction: column; width: 8.5rem; }
    .turn-number { display: grid; place-content: center; padding-inline: var(--s3); font-weight: 700; color: var(--ink-soft); }
    .standing { grid-template-columns: repeat(3, minmax(0, 1fr)) auto; }
    .team-head { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: var(--s1) var(--s5); align-items: center; }
    .team-head .tokens { grid-column: 1 / -1; }
  }
  @container stage (min-width: 60rem) { .dial { width: 17rem; } .omens { width: 11rem; } .gauntlet { width: 6.5rem; } }
  @container stage (max-width: 43.99rem) {
    .tally { grid-template-columns: 1fr; padding: var(--s2); align-content: start; }
    .tally-name { min-height: 2.4em; font-size: .75rem; overflow-wrap: anywhere; } .tally-end { display: none; } .pips i { flex-basis: .55rem; }
    .stones { gap: var(--s2); padding: var(--s2); } .gauntlet { width: 3.1rem; } .stone-name { font-size: .6875rem; letter-spacing: -.01em; } .stone .gem-picture { width: 1.6rem; height: 1.6rem; }
    .stones > ul { gap: var(--s1); } .stone .pips i { width: .5rem; } .pips { gap: 2px; }
    .dial { width: 11.5rem; } .omens { flex-direction: column; max-width: 9.5rem; flex: 1; }
  }
`;

export const styles = [board, pieceStyles, dockStyles];
