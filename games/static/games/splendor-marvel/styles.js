// How the table of Splendor: Marvel looks: everything on one screen, in three widths.

import { css } from "../../vendor/lit.js";
import { common } from "../board/styles.js";

const base = css`
  .table { display: grid; gap: 10px; padding: 10px 14px 12px; grid-template: "others market market supply places" minmax(0, 1fr) "bar bar own own own" 150px / 238px 182px minmax(0, 1fr) 92px 178px; }
  .others { grid-area: others; display: grid; grid-template-rows: repeat(3, minmax(0, 1fr)); gap: 8px; min-height: 0; }
  .market { grid-area: market; display: grid; grid-template-rows: repeat(3, minmax(0, 1fr)); gap: 8px; padding: 8px; }
  .supply { grid-area: supply; display: grid; grid-auto-rows: minmax(0, 1fr); gap: 5px; padding: 6px; }
  .places { grid-area: places; display: grid; grid-template-rows: minmax(0, 1fr) 80px; gap: 8px; min-height: 0; }
  .places ul { display: grid; grid-template-rows: repeat(4, minmax(0, 1fr)); gap: 8px; min-height: 0; }
  .bar { grid-area: bar; }
  .mine { grid-area: own; }

  /* stones and numbers in them */
  .pip { width: 22px; height: 22px; flex: none; overflow: visible; display: block; }
  .pip text { font: 800 16.5px var(--font); fill: #1a1225; }
  .pip.orange text { font-size: 16px; }
  .pip.hollow path { fill: none; stroke: var(--line-strong); stroke-dasharray: 3 2; stroke-width: 1.6; }
  .pip.hollow text { fill: var(--ink-soft); }
  .pip.paid path { fill-opacity: .28; stroke: rgb(255 255 255 / .55); stroke-width: 1; }
  .pip.paid text { fill: #fff; }
  .tok { width: 40px; height: 43px; flex: none; overflow: visible; display: block; filter: drop-shadow(0 3px 2px var(--drop, var(--shade))); }
  .tok .side { filter: brightness(.55); }
  .tok text { font: 800 12.5px var(--font); fill: #1a1225; }
  .tag { width: 15px; height: 15px; flex: none; fill: #fff; stroke: rgb(0 0 0 / .5); stroke-width: 1; }

  /* cards */
  .row { display: grid; grid-template-columns: 56px repeat(4, minmax(0, 1fr)); gap: 8px; min-height: 0; }
  .slot { position: relative; min-width: 0; min-height: 0; }
  .card-holder { display: block; width: 100%; height: 100%; min-height: 44px; border-radius: 9px; }
  .card-holder > * { display: block; width: 100%; height: 100%; }
  .empty { display: block; width: 100%; height: 100%; border: 2px dashed var(--line-strong); border-radius: 9px; opacity: .6; }
  .face { container-type: size; }
  .face .emblem { position: absolute; width: min(66cqw, 68cqh); left: 50%; top: 45%; transform: translate(-50%, -52%); }
  .corner { position: absolute; left: 6px; top: 3px; display: flex; flex-direction: column; align-items: flex-start; }
  .face .points { font: 800 max(19px, min(19cqw, 26px))/1.1 var(--font); text-shadow: 0 1px 3px #000, 0 0 2px #000; }
  .marks { display: flex; gap: 1px; }
  .marks .pip { width: 15px; height: 15px; }
  .face .bonus { position: absolute; right: 5px; top: 5px; }
  .face .bonus .pip { width: max(20px, min(20cqw, 28px)); height: max(20px, min(20cqw, 28px)); }
  .face .name { position: absolute; left: 5px; right: 4px; bottom: 29px; font: 700 13px/1.05 var(--font); text-shadow: 0 1px 2px #000, 0 0 5px #000, 0 0 2px #000; overflow-wrap: anywhere; }
  .face .cost, .site .cost { position: absolute; left: 0; right: 0; bottom: 0; display: flex; gap: 3px; padding: 2px 5px 3px; background: rgb(8 5 14 / .66); }
  .cost { display: flex; gap: 3px; }
  .card-holder.recruitable { outline: 3px solid var(--time); outline-offset: 1px; }
  .card-holder.recruitable .face::after { content: ""; position: absolute; right: 0; bottom: 0; border: 12px solid; border-color: transparent #3fd08a #3fd08a transparent; }
  .card-holder.can:hover .face, .card-holder.can:hover .deck-back { filter: brightness(1.12); }
  .card-holder.is-open { outline: 3px solid var(--space); outline-offset: 1px; }
  .card-holder:focus-visible { outline: 3px solid var(--space); outline-offset: 2px; }
  .deck-back { display: flex !important; flex-direction: column; align-items: center; justify-content: center; gap: 6px; }
  .deck-back b { font: 800 20px/1 var(--font); color: #f5cf5b; }
  .count { background: #0d0a14; border-radius: 9px; padding: 1px 6px; font: 700 12px/1.3 var(--font); }
  .choice { position: absolute; z-index: 5; top: calc(100% - 14px); left: 0; min-width: 196px; padding: 10px; display: flex; flex-wrap: wrap; gap: 8px; align-items: center; background: var(--raised); box-shadow: 0 12px 34px rgb(0 0 0 / .4); }
  .choice .btn { flex: 1; padding: 0 12px; }
  .choice .price, .choice .why { flex: 1 0 100%; font-size: 13px; }
  .choice .why { color: var(--ink-soft); }
  .choice .pip.paid text { fill: var(--ink); }
  .choice .pip.paid path { stroke: var(--line-strong); }
  .choice.column-3, .choice.column-4 { left: auto; right: 0; }
  .choice.row-2, .choice.own { top: auto; bottom: calc(100% - 14px); }
  .choice.own { left: auto; right: 0; }

  /* the others */
  .rival { display: flex; flex-direction: column; justify-content: space-between; gap: 2px; padding: 8px 10px; border-left: 5px solid var(--sc); }
  .board.is-to-act { box-shadow: 0 0 0 2px var(--sc), 0 3px 8px var(--shade); }
  .rival header { display: flex; align-items: center; gap: 7px; min-width: 0; }
  .rival .who { flex: 1; }
  .pts { font: 800 22px/1 var(--font); font-variant-numeric: tabular-nums; white-space: nowrap; }
  .pts small { font-size: 12px; font-weight: 600; color: var(--ink-soft); }
  .badge { flex: none; font: 700 12px/1.5 var(--font); padding: 0 8px; border-radius: 10px; white-space: nowrap; background: var(--time-wash); color: var(--time-ink); }
  .badge.won::before { content: "★"; }
  .badge.won .label { display: none; }
  .badge.acts { width: 10px; height: 10px; padding: 0; background: var(--sc); border-radius: 50%; }
  .means { display: flex; justify-content: space-between; }
  .mean { display: flex; align-items: center; gap: 2px; }
  .gives { display: grid; place-items: center; width: 18px; height: 23px; border-radius: 4px; font: 800 13px/1 var(--font); color: #fff; background: linear-gradient(160deg, var(--k1), var(--k2)); box-shadow: inset 0 0 0 1px rgb(255 255 255 / .25), 0 1px 2px var(--drop, var(--shade)); }
  .gives.none { background: none; box-shadow: inset 0 0 0 1px var(--line-strong); color: var(--ink-soft); }
  .extras { display: flex; align-items: center; gap: 8px; min-height: 34px; min-width: 0; }
  .tags { display: inline-flex; align-items: center; gap: 3px; font: 700 13px/1 var(--font); }
  .tags .tag { fill: currentColor; stroke: none; width: 14px; }
  .tags.tile-held { padding: 3px 6px; border-radius: 9px; background: var(--mind-wash); color: var(--mind-ink); }
  .won-site { font: 700 12px/1 var(--font); padding: 3px 5px; border-radius: 5px; color: #fff; background: #145034; }
  .kept { margin-left: auto; display: flex; flex-direction: row-reverse; gap: 2px; } .kept span { display: block; } .kept .mini { display: grid; }
  .mini { width: 28px; height: 34px; display: grid; place-items: center; border-radius: 5px; }
  .mini .emblem { width: 25px; }
  .mini b { font: 800 12px/1 var(--font); color: #f5cf5b; }

  /* supply, locations */
  .supply li { min-width: 0; min-height: 0; }
  .pile-of { position: relative; width: 100%; height: 100%; min-height: 44px; display: flex; align-items: center; justify-content: center; gap: 5px; border-radius: 12px; border: 1px solid transparent; }
  .pile-of b { font: 800 18px/1 var(--font); min-width: 14px; }
  .pile-of.can { background: var(--surface); border-color: var(--line); box-shadow: 0 2px 0 var(--edge), 0 0 0 2px var(--time); }
  .pile-of.can:hover { background: var(--time-wash); }
  .pile-of.none .tok { opacity: .35; }
  .plus { position: absolute; top: -2px; right: -3px; width: 20px; height: 20px; border-radius: 50%; background: var(--time-ink); color: light-dark(#fff, #0b1a12); font: 800 15px/20px var(--font); text-align: center; }
  .places li { min-height: 0; min-width: 0; }
  .site, .holder { display: block; width: 100%; height: 100%; }
  .site .sign { position: absolute; right: 34px; top: 4px; width: 40px; height: 40px; fill: none; stroke: #6fdfa6; stroke-width: 2.6; opacity: .75; }
  .site .points { position: absolute; right: 9px; top: 4px; font: 800 22px/1.1 var(--font); }
  .site .name { position: absolute; left: 8px; top: 8px; font: 700 13px/1.1 var(--font); max-width: 92px; text-shadow: 0 1px 3px #000; }
  .visit { display: block; width: 100%; height: 100%; border-radius: 9px; outline: 3px solid var(--time); outline-offset: 1px; }
  .visit:focus-visible { outline-color: var(--space); }
  .avengers { display: flex; align-items: center; gap: 8px; padding: 6px 10px; font-size: 12px; line-height: 1.2; border-style: dashed; border-radius: 9px; }
  .avengers .tag { width: 28px; height: 28px; fill: var(--ink); stroke: none; }
  .avengers b { font-size: 13px; display: block; }
  .avengers .told { flex: 1; min-width: 0; }
  .avengers .av { width: 22px; height: 22px; font-size: 12px; }

  /* the question */
  .bar { padding: 10px 14px; display: grid; grid-template: "words words" minmax(0, 1fr) "slots answers" 56px / 210px minmax(0, 1fr); gap: 6px 14px; align-items: center; }
  .words { grid-area: words; min-width: 0; align-self: start; }
  .ask { font-weight: 700; font-size: 18px; line-height: 1.2; text-wrap: balance; }
  .stalling { font-size: 12px; color: var(--mind-ink); line-height: 1.2; }
  .slots { grid-area: slots; display: flex; gap: 6px; align-items: center; }
  .slots.price .pip { width: 30px; height: 30px; }
  .slot-of { width: 48px; height: 52px; border-radius: 12px; border: 2px dashed var(--line-strong); display: grid; place-items: center; }
  .slot-of.on { border-style: solid; border-color: var(--time); background: var(--time-wash); }
  .slot-of .tok { width: 36px; height: 39px; }
  .answers { grid-area: answers; align-self: stretch; display: grid; grid-template-columns: 48px minmax(0, 1fr); gap: 8px; align-items: center; }
  .answers .btn { padding: 0 14px; }
  .answers [data-move="undo"] { grid-area: 1 / 1; padding: 0; }
  .answers .go { grid-area: 1 / 2; }
  .answers .btn span[aria-hidden] { font-size: 20px; }

  /* one's own */
  .mine { display: grid; grid-template-columns: 150px minmax(0, 1fr) 244px; gap: 14px; padding: 10px 14px; }
  .score { display: flex; flex-direction: column; justify-content: space-between; min-width: 0; }
  .score .pts { font-size: 38px; }
  .stones { display: flex; gap: 3px; }
  .stones .pip { width: 20px; height: 20px; }
  .line { display: flex; align-items: center; gap: 6px; min-height: 20px; }
  .line .badge.acts { display: none; }
  .columns { display: grid; grid-template-columns: repeat(6, minmax(0, 1fr)); gap: 4px; }
  .columns li { min-width: 0; min-height: 0; display: grid; }
  .column { position: relative; display: grid; grid-template: minmax(0, 1fr) auto / 1fr; justify-items: center; gap: 4px; width: 100%; height: 100%; background: var(--sunken); border-radius: 10px; padding: 6px 4px; }
  .column.can { outline: 3px solid var(--time); outline-offset: -1px; }
  .column .sign { position: absolute; top: -2px; right: -2px; width: 20px; height: 20px; border-radius: 50%; background: var(--time-ink); color: light-dark(#fff, #0b1a12); font: 800 15px/20px var(--font); text-align: center; display: grid; place-items: center; }
  .column .sign .pip { width: 13px; height: 13px; }
  .pile { position: relative; width: 52px; height: 100%; min-height: 0; }
  .pile i { position: absolute; left: 0; top: 0; width: 36px; height: 44px; border-radius: 6px; display: grid; place-items: center; }
  .pile i:nth-child(2) { left: 5px; top: 6px; } .pile i:nth-child(3) { left: 10px; top: 12px; } .pile i:nth-child(4) { left: 15px; top: 18px; }
  .pile i:only-child { left: 8px; }
  .pile i.none { top: 4px; border: 2px dashed var(--line-strong); }
  .pile .emblem { width: 32px; }
  .pile .all { display: block; padding-top: 18px; font-size: 12px; text-align: center; color: var(--ink-soft); }
  .sum { display: flex; align-items: center; justify-content: center; gap: 2px; }
  .column .gives { width: 23px; height: 30px; font-size: 16px; }
  .column .pip { width: 26px; height: 26px; }
  .hand { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: 8px; }
  .hand .free { border: 2px dashed var(--line-strong); border-radius: 9px; opacity: .6; }
  .hand .name { display: none; }
  .secret { position: absolute; left: 5px; top: 28px; font: 800 12px/1 var(--font); color: #fff; background: #15111fcc; border-radius: 6px; padding: 2px 5px; }
  .watching { grid-template: "others market supply places" minmax(0, 1fr) "bar bar bar bar" 76px / 238px minmax(0, 1fr) 92px 178px; }
  .watching .bar { grid-template: "words answers" 1fr / 1fr auto; }
  .of-4 .others { grid-template-rows: repeat(4, minmax(0, 1fr)); }
  .of-2 .others { grid-template-rows: repeat(2, minmax(0, 180px)); }
  .of-1 .others { grid-template-rows: minmax(0, 200px); }
`;

const middle = css`
  @container stage (max-width: 1099px) {
    .table { grid-template: "others" auto "places" 64px "market" minmax(0, 1fr) "supply" 70px "bar" 76px "own" 124px / minmax(0, 1fr); gap: 8px; padding: 8px; }
    .watching { grid-template: "others" auto "places" 64px "market" minmax(0, 1fr) "supply" 70px "bar" 64px / minmax(0, 1fr); }
    .others, .of-4 .others, .of-2 .others, .of-1 .others { grid-template: 110px / repeat(3, minmax(0, 1fr)); }
    .of-4 .others { grid-template: repeat(2, 100px) / repeat(2, minmax(0, 1fr)); }
    .of-2 .others { grid-template-columns: repeat(2, minmax(0, 1fr)); }
    .of-1 .others { grid-template-columns: minmax(0, 1fr); }
    .rival { padding: 6px 8px; gap: 4px; }
    .market { padding: 6px; gap: 6px; }
    .row { grid-template-columns: 52px repeat(4, minmax(0, 1fr)); gap: 6px; }
    .places { grid-template: minmax(0, 1fr) / minmax(0, 4fr) minmax(0, 1fr); gap: 6px; }
    .places ul { grid-template: minmax(0, 1fr) / repeat(4, minmax(0, 1fr)); gap: 6px; }
    .site .sign { right: 24px; width: 30px; height: 30px; }
    .site .points { font-size: 18px; }
    .site .name { font-size: 12px; }
    .avengers { padding: 4px 8px; }
    .avengers .state { display: none; }
    .supply { grid-template: minmax(0, 1fr) / repeat(7, minmax(0, 1fr)); gap: 5px; }
    .bar, .watching .bar { grid-template: "words slots answers" minmax(0, 1fr) / minmax(0, 1fr) 210px 200px; align-items: center; }
    .watching .bar { grid-template-columns: minmax(0, 1fr) 0 0; }
    .words { align-self: stretch; display: flex; flex-direction: column; justify-content: center; }
    .mine { grid-template-columns: 130px minmax(0, 1fr) 214px; }
    .pile i { height: 38px; }
    .pile i:nth-child(2) { top: 4px; } .pile i:nth-child(3) { top: 8px; } .pile i:nth-child(4) { top: 12px; }
    .column .gives { height: 28px; }
  }
`;

const narrow = css`
  @container stage (max-width: 699px) {
    .table { gap: 5px; padding: 5px 6px 6px; grid-template: "others" auto "places" 46px "market" minmax(0, 1fr) "supply" 56px "bar" 62px "own" 110px / minmax(0, 1fr); }
    .watching { grid-template: "others" auto "places" 46px "market" minmax(0, 1fr) "supply" 56px "bar" 56px / minmax(0, 1fr); }
    .others, .of-4 .others, .of-2 .others, .of-1 .others { gap: 5px; grid-template-rows: 98px; }
    .of-4 .others { grid-template-rows: repeat(2, 97px); }
    .rival { padding: 4px 5px 4px 4px; gap: 3px; border-left-width: 4px; border-radius: 10px; }
    .rival header { gap: 4px; font-size: 12px; }
    .rival .av { width: 20px; height: 20px; font-size: 12px; }
    .rival .pts { font-size: 17px; }
    .rival .pts small, .rival .badge.acts { display: none; }
    .mean { flex-direction: column; gap: 2px; }
    .gives { width: 21px; height: 17px; font-size: 12px; }
    .mean .pip, .extras .pip { width: 20px; height: 20px; }
    .extras { min-height: 26px; height: 26px; gap: 1px; }
    .extras .time .pip { width: 15px; }
    .tags { font-size: 12px; gap: 0; }
    .tags .tag { width: 10px; height: 10px; }
    .tags.tile-held { padding: 2px 1px; }
    .won-site { padding: 3px 2px; }
    .kept { gap: 0; }
    .kept li + li { margin-right: -9px; }
    .kept .mini { width: 17px; height: 25px; }
    .kept .mini .emblem { width: 17px; }
    .kept li:not(:last-child) b { visibility: hidden; }
    .badge.won { padding: 0 2px; }
    .places { gap: 4px; }
    .places ul { gap: 4px; }
    .site .name { display: none; }
    .site .sign { left: 3px; right: auto; top: 1px; width: 22px; height: 22px; }
    .site .points { right: 5px; top: 1px; font-size: 16px; }
    .site .cost { padding: 1px 3px 2px; gap: 2px; }
    .site .cost .pip { width: 20px; height: 20px; }
    .avengers { padding: 2px 4px; gap: 3px; justify-content: center; }
    .avengers .tag { width: 16px; height: 16px; }
    .avengers .told { flex: none; }
    .avengers .av { width: 19px; height: 19px; }
    .market { gap: 4px; padding: 4px; border-radius: 12px; }
    .row { grid-template-columns: 44px repeat(4, minmax(0, 1fr)); gap: 4px; }
    .deck-back b { font-size: 16px; }
    .count { padding: 0 4px; }
    .face { border-radius: 7px; }
    .face .emblem { top: 42%; width: min(58cqw, 56cqh); }
    .face .name { font-size: 12px; bottom: 23px; left: 3px; right: 1px; letter-spacing: -.3px; }
    .face .cost { padding: 2px 1px; gap: 0; }
    .face .cost .pip { width: 18.7px; height: 18.7px; }
    .card-holder.recruitable .face::after { border-width: 7px; } /* the fourth cost stays in sight */
    .corner { left: 4px; top: 1px; gap: 2px; }
    .marks .pip, .marks .tag { width: 13px; height: 13px; }
    .face .bonus { right: 3px; top: 3px; }
    .supply { gap: 4px; padding: 4px; }
    .pile-of { flex-direction: column; gap: 0; border-radius: 10px; }
    .pile-of .tok { width: 28px; height: 30px; }
    .pile-of b { font-size: 14px; }
    .plus { width: 17px; height: 17px; line-height: 17px; }
    .bar, .watching .bar { padding: 5px 6px; gap: 8px; grid-template: "slots words answers" minmax(0, 1fr) / 108px minmax(0, 1fr) 132px; }
    .watching .bar { grid-template-columns: 0 minmax(0, 1fr) 0; }
    .bar:not(:has(.answers .btn)) .words { grid-column: 2 / 4; }
    .ask { font-size: 14px; line-height: 1.1; text-wrap: wrap; }
    .words:has(+ .price) .ask, .ask.is-long { font-size: 12px; line-height: 1; letter-spacing: -.3px; }
    .slot-of { width: 34px; height: 40px; border-radius: 9px; }
    .slot-of .tok { width: 25px; height: 27px; }
    .slots { gap: 3px; }
    .slots.price { gap: 0; }
    .slots.price .pip { width: 20px; height: 20px; }
    .answers { gap: 5px; grid-template-columns: 44px minmax(0, 1fr); }
    .answers .go { padding: 0 6px; font-size: 14px; }
    .mine { grid-template: "columns columns" 48px "score hand" minmax(0, 1fr) / minmax(0, 1fr) 148px; padding: 5px 6px; gap: 5px; }
    .columns { grid-area: columns; }
    .column { grid-template: minmax(0, 1fr) / 1fr; padding: 3px 2px; align-items: center; }
    .pile { display: none; }
    .sum { gap: 1px; }
    .column .gives { width: 22px; height: 30px; font-size: 15px; }
    .score { grid-area: score; display: grid; grid-template: auto auto / auto minmax(0, 1fr); gap: 0 8px; align-items: center; }
    .score .pts { font-size: 28px; grid-row: 1 / 3; }
    .hand { grid-area: hand; gap: 5px; }
    .hand .cost, .hand .marks { display: none; }
    .hand .face .emblem { top: 52%; width: 36px; }
    .hand .face .points { font-size: 14px; }
    .hand .face .bonus .pip { width: 14px; height: 14px; }
    .secret { left: 2px; top: auto; bottom: 2px; padding: 1px 3px; }
    .choice { min-width: 178px; }
  }
  @container stage (max-width: 699px) and (max-height: 660px) {
    .table { grid-template-rows: auto 44px minmax(0, 1fr) 50px 54px 96px; }
    .others, .of-4 .others, .of-2 .others, .of-1 .others { grid-template-rows: 68px; }
    .extras { display: none; }
    .face .name { display: none; }
    .face .emblem { top: 44%; width: min(54cqw, 48cqh); }
  }
`;

export const styles = [common, base, middle, narrow];
