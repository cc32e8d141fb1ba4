// Looks of the Infinity Gauntlet table. A number has the same colour everywhere: that of the stone which bears it.

import { css } from "../vendor/lit.js";

const base = css`
  :host { display: block; font: inherit; color: var(--ink); }
  * { box-sizing: border-box; }
`;

const cards = css`
  .n1 { --c: var(--mind); --c-ink: var(--mind-ink); --c-wash: var(--mind-wash); }
  .n2 { --c: var(--soul); --c-ink: var(--soul-ink); --c-wash: var(--soul-wash); }
  .n3 { --c: var(--space); --c-ink: var(--space-ink); --c-wash: var(--space-wash); }
  .n4 { --c: var(--power); --c-ink: var(--power-ink); --c-wash: var(--power-wash); }
  .n5 { --c: var(--reality); --c-ink: var(--reality-ink); --c-wash: var(--reality-wash); }
  .n6 { --c: var(--time); --c-ink: var(--time-ink); --c-wash: var(--time-wash); }
  .n7 { --c: var(--ink); --c-ink: var(--ink); --c-wash: var(--sunken); }
  .seat-0 { --seat: var(--seat-0); } .seat-1 { --seat: var(--seat-1); } .seat-2 { --seat: var(--seat-2); }
  .seat-3 { --seat: var(--seat-3); } .seat-4 { --seat: var(--seat-4); } .seat-5 { --seat: var(--seat-5); }

  .emblem { color: var(--c); display: block; }
  .number { font-weight: 800; font-variant-numeric: tabular-nums; line-height: 1; color: var(--c-ink); }

  .big { position: relative; display: flex; flex-direction: column; gap: var(--s1); width: 100%; max-width: 13rem; min-height: 11.5rem; padding: 0 var(--s3) var(--s3); text-align: start; color: var(--ink); background: var(--raised); border: 2px solid var(--c); border-radius: var(--radius); box-shadow: 0 2px 8px var(--shade); overflow: hidden; }
  .big .art { flex: none; display: grid; place-content: center end; height: 4.25rem; margin: 0 calc(-1 * var(--s3)) var(--s1); padding: var(--s2) var(--s3); background-color: var(--c-wash); border-bottom: 2px solid var(--c); }
  .big.heroes .art { background-image: repeating-linear-gradient(125deg, transparent 0 9px, color-mix(in srgb, var(--c) 16%, transparent) 9px 11px); }
  .big.thanos .art { background-image: repeating-radial-gradient(circle at 100% 0, transparent 0 9px, color-mix(in srgb, var(--c) 16%, transparent) 9px 11px); }
  .big .emblem { height: 3.1rem; width: 3.1rem; }
  .big > .number { position: absolute; top: .7rem; inset-inline-start: var(--s3); font-size: 3rem; }
  .big .name { font-weight: 700; font-size: 1.0625rem; line-height: 1.2; }
  .big .text { flex: 1; font-size: var(--text-s); line-height: 1.35; color: var(--ink-soft); }
  .big .seen { font-size: .8125rem; line-height: 1.2; color: var(--soul-ink); display: flex; gap: var(--s1); align-items: center; }

  .mini { position: relative; display: inline-grid; grid-template-rows: auto 1fr; justify-items: center; width: 2.25rem; height: 3rem; padding: .2rem .15rem; border: 1.5px solid var(--c); border-radius: .4rem; background: var(--c-wash); color: inherit; font: inherit; }
  button.mini { cursor: help; scroll-margin-block: 5rem 22rem; }
  .mini .number { font-size: 1.0625rem; }
  .mini .emblem { width: 1.25rem; height: 1.25rem; align-self: center; }
  .mini.known { border-style: dotted; border-width: 2px; }
  .mini .eye { position: absolute; top: -.45rem; inset-inline-end: -.45rem; width: 1.1rem; height: 1.1rem; padding: .1rem; border-radius: var(--pill); background: var(--surface); color: var(--ink); border: 1px solid var(--line-strong); box-sizing: border-box; }

  .shown { display: grid; grid-template-rows: auto 1fr auto; justify-items: center; width: 5.25rem; height: 7rem; padding: var(--s2) var(--s1); box-sizing: border-box; border: 2px solid var(--c); border-radius: var(--radius-s); background: var(--c-wash); box-shadow: 0 2px 6px var(--shade); text-align: center; }
  .shown .number { font-size: 1.625rem; justify-self: start; padding-inline-start: var(--s1); }
  .shown .emblem { width: 2.25rem; height: 2.25rem; align-self: center; }
  .shown .name { font-size: .75rem; font-weight: 650; line-height: 1.1; color: var(--ink); overflow-wrap: anywhere; }
  .shown.lost { filter: grayscale(.75); transform: rotate(-5deg); position: relative; }
  .shown.lost::after { content: ""; position: absolute; inset: 0; border-radius: inherit; background: linear-gradient(to top right, transparent calc(50% - 2px), var(--reality) calc(50% - 2px) calc(50% + 2px), transparent calc(50% + 2px)); }
  .shown.won { outline: 3px solid var(--time); outline-offset: 2px; }
  .shown.copied { border-style: dashed; }

  .back { --b: var(--space); --b-ink: var(--space-ink); --b-wash: var(--space-wash); place-content: center; justify-items: center; align-items: center; font-weight: 800; color: var(--b-ink); border: 1.5px dashed var(--b); background-color: var(--b-wash); background-image: repeating-linear-gradient(45deg, transparent 0 5px, color-mix(in srgb, var(--b) 22%, transparent) 5px 7px), repeating-linear-gradient(-45deg, transparent 0 5px, color-mix(in srgb, var(--b) 22%, transparent) 5px 7px); }
  .back.thanos { --b: var(--power); --b-ink: var(--power-ink); --b-wash: var(--power-wash); }
  .back > span { background: var(--b-wash); border-radius: var(--pill); min-width: 1.5em; line-height: 1.5em; text-align: center; }
  .mini.back { grid-template-rows: 1fr; box-sizing: border-box; width: 2.25rem; }
  .shown.back { grid-template-rows: 1fr; font-size: 1.5rem; }
`;

const sides = css`
  .table { display: grid; gap: var(--s3); }
  .side { display: grid; gap: var(--s2) var(--s3); padding: var(--s3); border: 1px solid var(--line); border-radius: var(--radius); background: var(--surface); }
  .side.thanos { border-color: color-mix(in srgb, var(--power) 45%, var(--line)); background: linear-gradient(var(--power-wash), var(--surface) 9rem); }
  .side.heroes { border-color: color-mix(in srgb, var(--space) 35%, var(--line)); }
  .side > header { display: flex; flex-wrap: wrap; align-items: center; gap: var(--s1) var(--s3); }
  .side h2 { margin: 0; font-size: var(--text-l); line-height: 1.2; }
  .side > header .life { margin-inline-start: auto; }
  .side.thanos > header { flex-wrap: nowrap; }
  .player { display: inline-flex; align-items: center; gap: var(--s2); min-width: 0; font-weight: 600; }
  .player::before { content: ""; flex: none; width: .7rem; height: .7rem; border-radius: .2rem; background: var(--seat); }
  .player-name { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  .you { font-size: .8125rem; font-weight: 650; padding: 0 var(--s2); border-radius: var(--pill); background: var(--time-wash); color: var(--time-ink); }
  .life { display: inline-flex; align-items: center; gap: var(--s2); color: var(--reality-ink); font-weight: 800; font-size: var(--text-l); }
  .hearts { display: inline-flex; gap: 1px; color: var(--reality); font-size: 1rem; }
  .sign { width: 1.1em; height: 1.1em; flex: none; vertical-align: -.18em; }
  .tokens { display: inline-flex; align-items: center; gap: .15rem; color: var(--mind-ink); font-weight: 700; white-space: nowrap; }
  .tokens .sign { width: 1.35em; height: 1.35em; }
  .label, .quiet { margin: 0; color: var(--ink-soft); font-size: var(--text-s); }

  .half { display: grid; grid-template-columns: auto 1fr; gap: var(--s2) var(--s4); align-items: start; }
  .glory { position: relative; width: 7rem; }
  .gauntlet { width: 100%; display: block; }
  .glove { fill: color-mix(in srgb, var(--mind) 30%, var(--raised)); stroke: color-mix(in srgb, var(--mind) 70%, var(--ink)); stroke-width: 2; stroke-linejoin: round; }
  .seam { fill: none; stroke: color-mix(in srgb, var(--mind) 70%, var(--ink)); stroke-width: 2; }
  .socket circle { fill: var(--sunken); stroke: var(--line-strong); stroke-width: 1.5; stroke-dasharray: 3 2; }
  .socket text { font-weight: 800; fill: var(--ink-soft); font-family: var(--font); }
  .socket.held circle { stroke: var(--c); stroke-width: 3; stroke-dasharray: 4 2; fill: var(--c-wash); }
  .socket.held text { fill: var(--c-ink); }
  .socket.lit circle { fill: color-mix(in srgb, var(--c) 55%, var(--raised)); stroke: var(--c); stroke-width: 2.5; stroke-dasharray: none; filter: drop-shadow(0 0 4px var(--c)); }
  .socket.lit .gem { color: var(--c); }
  .socket.lit text { fill: #fff; stroke: rgb(0 0 0 / .7); stroke-width: 2.5; paint-order: stroke; }
  .tally { position: absolute; inset-inline-end: -.2rem; bottom: 0; font-weight: 800; font-size: var(--text-s); padding: .05rem .4rem; border-radius: var(--pill); background: var(--surface); border: 1px solid var(--line-strong); }
  .row { display: flex; flex-wrap: wrap; align-items: center; gap: var(--s2) var(--s3); }
  .holding { display: grid; gap: var(--s2); min-width: 0; justify-items: start; }
  .hidden-hand, .faceup, .places { display: inline-flex; flex-wrap: wrap; gap: var(--s1); align-items: center; }
  .as-hero .side.thanos .hidden-hand .mini { width: 3rem; height: 4rem; font-size: 1.25rem; }
  .as-hero .side.thanos .hidden-hand .mini .emblem { width: 1.75rem; height: 1.75rem; }

  .stock { display: flex; flex-wrap: wrap; gap: var(--s2) var(--s3); align-items: center; }
  .pile { display: grid; width: 2.25rem; height: 3rem; border-radius: .4rem; border-style: solid; box-sizing: border-box; font-size: 1.0625rem; box-shadow: 2px 2px 0 var(--b-wash), 2px 2px 0 1px var(--b), 4px 4px 0 var(--b-wash), 4px 4px 0 1px var(--b); margin: 0 var(--s1) var(--s1) 0; }
  .pile.empty { box-shadow: none; border-style: dashed; opacity: .7; }
  .deck-known { display: flex; align-items: center; gap: var(--s2); }
  .counter { display: grid; gap: .15rem; }
  .counter .label { font-size: .75rem; line-height: 1; }
  .counter ul { display: flex; gap: var(--s1); margin: 0; padding: 0; list-style: none; }
  .counter li { display: grid; justify-items: center; gap: .2rem; min-width: 1.9rem; padding: .2rem; box-sizing: border-box; border-radius: .4rem; background: var(--c-wash); }
  .counter .none { background: transparent; outline: 1px dashed var(--line-strong); outline-offset: -1px; }
  .counter .none .number { color: var(--ink-soft); text-decoration: line-through; }
  .pips { display: inline-flex; gap: 2px; }
  .pips i { width: .4rem; height: .4rem; border-radius: var(--pill); background: var(--c); border: 1px solid var(--c); box-sizing: border-box; }
  .pips .spent { background: transparent; }

  .team { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 15rem), 1fr)); gap: var(--s2); margin: 0; padding: 0; list-style: none; }
  .hero { display: grid; align-content: start; gap: var(--s2); padding: var(--s2) var(--s3); border: 1px solid var(--line); border-inline-start: 4px solid var(--seat); border-radius: var(--radius-s); background: var(--paper); min-width: 0; }
  .hero.acting { box-shadow: 0 0 0 2px var(--time); }
  .hero-head { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 var(--s2); min-width: 0; }
  .hero-cards { display: flex; gap: var(--s3); align-items: center; }
  .hero .hidden-hand { align-self: flex-start; }
  .hero .hidden-hand + .faceup:has(button) { padding-inline-start: var(--s3); border-inline-start: 1px solid var(--line); }
  .notes { display: grid; gap: .15rem; margin: 0; padding: 0; list-style: none; font-size: .8125rem; line-height: 1.3; color: var(--ink-soft); }
  .notes li { display: flex; gap: var(--s1); align-items: baseline; }
  .notes .sign { color: var(--mind); align-self: flex-start; margin-top: .1em; }
`;

const middle = css`
  .arena { display: grid; gap: var(--s2); justify-items: center; padding: var(--s3); border-radius: var(--radius); background: var(--sunken); min-height: 5rem; align-content: center; }
  .pictures { display: flex; flex-wrap: wrap; justify-content: center; align-items: flex-start; gap: var(--s3) var(--s4); }
  .then { align-self: center; color: var(--ink-soft); font-size: 1.5rem; }
  .spot { position: relative; display: grid; justify-items: center; align-content: start; gap: var(--s1); }
  .by { font-size: .8125rem; font-weight: 600; color: var(--ink-soft); max-width: 7rem; text-align: center; overflow: hidden; text-overflow: ellipsis; }
  .fight, .fan, .duel { display: flex; align-items: center; gap: var(--s3); }
  .fan { gap: var(--s1); }
  .meeting { color: var(--soul); font-size: 2.25rem; display: grid; place-items: center; width: 2.5rem; }
  .equal { font-weight: 800; color: var(--ink-soft); }
  .bonus { position: absolute; top: -.6rem; inset-inline-end: -.6rem; display: inline-flex; align-items: center; font-weight: 800; font-size: var(--text-s); padding: .1rem .35rem; border-radius: var(--pill); background: var(--mind-wash); color: var(--mind-ink); border: 1px solid var(--mind); z-index: 1; }
  .guessed { display: grid; place-items: center; width: 5.25rem; height: 5.25rem; border-radius: var(--pill); font-size: 3rem; font-weight: 800; color: var(--c-ink); background: var(--c-wash); border: 3px solid var(--c); box-sizing: border-box; }
  .gift { display: inline-flex; font-size: 2.5rem; color: var(--mind); }
  .snapped { width: 9rem; }
  .calm { width: 6rem; opacity: .3; }
  .lines { margin: 0; padding: 0; list-style: none; text-align: center; color: var(--ink-soft); display: grid; gap: .1rem; }
  .lines li:last-child { color: var(--ink); font-weight: 550; }
  .ending { display: grid; gap: var(--s1); justify-items: center; margin: 0; padding: var(--s3) var(--s5); border-radius: var(--radius); font-weight: 650; text-align: center; background: var(--space-wash); color: var(--space-ink); border: 2px solid var(--space); }
  .ending.thanos { background: var(--power-wash); color: var(--power-ink); border-color: var(--power); }
  .verdict { font-size: var(--text-xl); font-weight: 800; }
`;

const answers = css`
  .dock { display: grid; gap: var(--s3); padding: var(--s3); border: 1px solid var(--line); border-radius: var(--radius); background: var(--surface); min-width: 0; }
  .dock.asked { position: sticky; bottom: var(--s2); z-index: 2; max-height: 76dvh; overflow-y: auto; border: 2px solid var(--time); box-shadow: 0 0 0 4px var(--time-wash); }
  .dock h2 { margin: 0; font-size: var(--text-l); line-height: 1.25; outline-offset: 4px; }
  .dock-head { display: flex; justify-content: space-between; align-items: start; gap: var(--s3); }
  .undo { flex: none; min-height: 2rem; padding: 0 var(--s3); font-size: var(--text-s); color: var(--ink); background: var(--raised); border: 1px solid var(--line-strong); border-radius: var(--pill); cursor: pointer; }
  .dock:not(.asked) h2 { font-weight: 550; color: var(--ink-soft); font-size: var(--text-m); }
  .waiting { margin: 0; text-align: center; color: var(--ink-soft); font-weight: 550; }
  .hand, .answers { display: flex; flex-wrap: wrap; gap: var(--s3); }
  .hand > *, .cards > .big { flex: 1 1 8.5rem; min-width: 0; }
  .hand > .quiet { flex-basis: 100%; }
  button { font: inherit; }
  .choice { cursor: pointer; transition: transform var(--ease), box-shadow var(--ease); }
  .choice:hover:not([disabled]) { transform: translateY(-2px); box-shadow: 0 6px 16px var(--shade); }
  .choice[disabled] { cursor: progress; opacity: .6; }
  :focus-visible { outline: 3px solid var(--space); outline-offset: 2px; }
  h2:focus-visible { outline: none; }
  .big.choice { padding-bottom: 0; }
  .big .verb { margin: var(--s2) calc(-1 * var(--s3)) 0; padding: var(--s2); text-align: center; font-weight: 700; background: var(--button); color: var(--on-button); min-height: 1.5rem; }
  /* While something else is asked the hand is only a reminder. */
  .dock:has(.answers) .hand { gap: var(--s2); }
  .dock:has(.answers) .hand > article.big { display: flex; flex: 0 1 auto; flex-flow: row wrap; align-items: center; gap: 0 var(--s2); width: auto; max-width: 100%; min-height: 0; padding: var(--s1) var(--s3); box-shadow: none; border-width: 1.5px; background: var(--c-wash); }
  .dock:has(.answers) .hand > article.big > .number { position: static; font-size: 1.375rem; }
  .dock:has(.answers) .hand > article.big :is(.art, .text) { display: none; }

  .numbers { display: grid; grid-template-columns: repeat(auto-fit, minmax(4rem, 1fr)); gap: var(--s2); }
  .number-choice { display: grid; justify-items: center; align-content: start; gap: var(--s1); min-height: 5.5rem; padding: var(--s2) var(--s1); border: 2px solid var(--c); border-radius: var(--radius); background: var(--c-wash); color: var(--ink); }
  .number-choice .number { font-size: 2.25rem; }
  .number-choice .pips i { width: .5rem; height: .5rem; }
  .number-choice .hint { font-size: .75rem; line-height: 1.15; }
  .number-choice.out { border-style: dashed; background: var(--surface); }
  .number-choice.out .number { color: var(--ink-soft); text-decoration: line-through; text-decoration-thickness: 2px; }
  .number-choice.sure { box-shadow: 0 0 0 3px var(--c-wash), 0 0 0 5px var(--c); }
  .seats { display: grid; grid-template-columns: repeat(auto-fit, minmax(9.25rem, 1fr)); gap: var(--s2); }
  .seat-choice { display: grid; grid-template-rows: 1fr auto; grid-template-columns: auto 1fr; align-items: center; gap: var(--s2) var(--s3); padding: var(--s2) var(--s3); text-align: start; color: var(--ink); background: var(--raised); border: 2px solid var(--seat); border-radius: var(--radius); overflow: hidden; }
  .seat-choice .who { display: grid; gap: .15rem; min-width: 0; justify-items: start; }
  .seat-choice .verb { grid-column: 1 / -1; margin: 0 calc(-1 * var(--s3)) calc(-1 * var(--s2)); padding: var(--s2); text-align: center; font-weight: 700; background: var(--button); color: var(--on-button); display: flex; justify-content: center; align-items: center; gap: var(--s2); }
  .seat-choice .shown { width: 3.5rem; height: 4.75rem; padding: var(--s1) .1rem; }
  .seat-choice .shown .name { font-size: .625rem; }
  .seat-choice .shown .number { font-size: 1.25rem; }
  .seat-choice .shown .emblem { width: 1.5rem; height: 1.5rem; }
  .duel { justify-content: center; font-size: 2rem; color: var(--soul); }
  .duel .number, .duel .bonus { font-size: 1.5rem; }
  .duel .bonus { font-size: var(--text-s); }
  .word { flex: 1 1 9rem; display: inline-flex; justify-content: center; align-items: center; gap: var(--s2); min-height: var(--tap); padding: var(--s2) var(--s4); font-weight: 700; color: var(--ink); background: var(--raised); border: 2px solid var(--line-strong); border-radius: var(--radius); }
  .word.bold { color: var(--on-button); background: var(--button); border-color: var(--button); }
  .snap { display: flex; align-items: center; justify-content: center; gap: var(--s4); padding: var(--s3); color: #fff; background: linear-gradient(100deg, #3a1d6e, #7a1f3d 55%, #6b4a00); border: 3px solid var(--mind); border-radius: var(--radius); text-align: start; }
  .snap .gauntlet { width: 4.5rem; flex: none; }
  .snap > span { display: grid; gap: var(--s1); }
  .snap strong { font-size: var(--text-xl); }

  .aid { margin-top: var(--s3); padding: var(--s2) var(--s3); border: 1px solid var(--line); border-radius: var(--radius); }
  .aid summary { cursor: pointer; font-weight: 600; min-height: 1.75rem; }
  .aid > div { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 18rem), 1fr)); gap: var(--s3) var(--s5); padding-top: var(--s2); }
  .reference { display: grid; align-content: start; gap: var(--s2); margin: 0; padding: 0; list-style: none; font-size: var(--text-s); line-height: 1.35; }
  .reference li { display: grid; grid-template-columns: 2rem 1fr; gap: var(--s2); align-items: start; }
  .reference .number { display: grid; place-items: center; height: 2rem; border-radius: .4rem; font-size: 1.125rem; background: var(--c-wash); }

  .visually-hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
`;

const widths = css`
  @container stage (min-width: 44rem) {
    .table { grid-template-columns: repeat(2, minmax(0, 1fr)); }
    .side.heroes, .dock, .waiting { grid-column: 1 / -1; }
    .side.thanos { align-content: start; }
    .team.of-4 { grid-template-columns: repeat(4, minmax(0, 1fr)); }
    .team.of-5 { grid-template-columns: repeat(5, minmax(0, 1fr)); }
    .team:is(.of-4, .of-5) .hero { padding: var(--s2); }
    .team:is(.of-4, .of-5) .hero-cards { gap: var(--s2); }
    .hand > .big, .cards > .big { flex: 0 1 12rem; }
    .plain { justify-content: flex-start; }
    .word { flex: 0 1 14rem; }
  }
  @container stage (max-width: 34rem) {
    .side, .dock, .arena { padding: var(--s2); }
    .side.thanos > header { flex-wrap: wrap; }
    .cards > .spot { flex: 1 1 100%; grid-auto-flow: column; justify-content: start; align-items: center; gap: var(--s2); }
    .cards .shown { display: flex; align-items: center; gap: var(--s2); width: auto; height: auto; padding: var(--s1) var(--s3); }
    .cards .shown .name { font-size: var(--text-s); }
    .cards .shown .emblem { display: none; }
    .glory { width: 6rem; }
    .team { grid-template-columns: repeat(2, minmax(0, 1fr)); }
    .team.of-1 { grid-template-columns: 1fr; }
    .hero { padding: var(--s2); }
    .hero-cards { gap: var(--s2); }
    .hero .hidden-hand + .faceup:has(button) { padding-inline-start: var(--s2); }
    .arena { order: -1; }
    .shown { width: 4.5rem; height: 6.25rem; }
    .pictures { gap: var(--s2); }
    .meeting { width: 1.75rem; font-size: 1.75rem; }
    .fight, .hand, .cards { gap: var(--s2); }
    /* Cards to choose from lie one below the other, as rows. */
    .hand > .big, .cards > .big { flex: 1 1 100%; display: grid; grid-template: auto 1fr auto / 3.75rem 1fr auto; gap: 0 var(--s2); max-width: none; min-height: 4.25rem; padding: 0; }
    .hand > .big .art, .cards > .big .art { grid-area: 1 / 1 / -1 / 2; place-content: end; height: 100%; margin: 0; padding: var(--s1); border-bottom: 0; border-inline-end: 2px solid var(--c); }
    .big .emblem { width: 1.9rem; height: 1.9rem; }
    .big > .number { top: .35rem; inset-inline-start: .5rem; font-size: 2rem; }
    .big .name, .big .text, .big .seen { grid-column: 2; padding-block: .2rem; }
    .big .text { font-size: .8125rem; line-height: 1.25; padding-top: 0; }
    .big .verb { grid-area: 1 / 3 / -1 / 4; display: grid; place-items: center; width: 5.5rem; margin: 0; padding: var(--s1); font-size: var(--text-s); overflow-wrap: break-word; }
    .number-choice { min-height: 0; }
    .numbers { grid-template-columns: repeat(4, 1fr); }
    .numbers.six { grid-template-columns: repeat(3, 1fr); }
    .number-choice .number { font-size: 1.75rem; }
  }
  /* Above the site's own bar on small screens. */
  @media (max-width: 47.99rem) {
    .dock.asked { bottom: calc(4rem + env(safe-area-inset-bottom) + var(--s2)); max-height: 62dvh; }
  }
`;

export const styles = [base, cards, sides, middle, answers, widths];
