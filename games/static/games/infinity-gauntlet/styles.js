// How the table of Infinity Gauntlet looks: everything on one screen, in three widths, for Thanos, a hero and a spectator.

import { css } from "../../vendor/lit.js";
import { common } from "../board/styles.js";

const base = css`
  .table { display: grid; gap: 10px; padding: 10px 14px 12px; }
  .as-hero { grid-template: "foe foe" 176px "team team" 178px "own ask" minmax(0, 1fr) / 400px minmax(0, 1fr); }
  .as-thanos { grid-template: "team team" 178px "arena arena" minmax(0, 1fr) "foe ask" 276px / 400px minmax(0, 1fr); }
  .watching { grid-template: "foe" minmax(176px, 1fr) "team" minmax(184px, 1fr) "ask" 72px / minmax(0, 1fr); }
  .side.thanos { grid-area: foe; } .side.heroes { grid-area: team; } .as-thanos .arena { grid-area: arena; } .own { grid-area: own; } .ask, .waiting { grid-area: ask; }
  .dock { display: contents; }

  /* cards */
  .mini { display: inline-grid; place-items: center; width: 52px; height: 66px; border-radius: 8px; position: relative; flex: none; }
  .mini .emblem, .shown .emblem { width: 74%; position: relative; top: 5px; }
  .emblem.stone { display: block; } .emblem.stone svg { display: block; width: 100%; height: auto; }
  .mini .number, .shown .number { position: absolute; left: 5px; top: 1px; font: 800 15px/1.2 var(--font); text-shadow: 0 1px 2px #000; z-index: 1; }
  .faceup .mini, .done .mini { width: 30px; height: 38px; border-radius: 5px; }
  .faceup .mini .number, .done .mini .number { font-size: 12px; left: 3px; top: 0; }
  .faceup .mini .emblem, .done .mini .emblem { width: 22px; }
  .back.heroes { background: repeating-linear-gradient(45deg, rgb(255 255 255 / .12) 0 1.5px, transparent 1.5px 9px), linear-gradient(160deg, #3567c4, #142a5c); }
  .back.thanos { background: repeating-linear-gradient(45deg, rgb(255 255 255 / .12) 0 1.5px, transparent 1.5px 9px), linear-gradient(160deg, #7647bd, #2a1552); }
  .mark { font: 800 20px/30px var(--font); min-width: 30px; height: 30px; text-align: center; border-radius: 50%; background: rgb(10 6 20 / .55); }
  .pile { box-shadow: inset 0 0 0 2px rgb(255 255 255 / .16), 3px 3px 0 -1px #2b3a66, 6px 6px 0 -2px #22304f, 0 4px 8px var(--drop, var(--shade)); margin-right: 6px; }
  .pile.none { opacity: .45; }
  .known { outline: 2px solid var(--mind); outline-offset: 1px; }
  .side .known { outline: none; } .side .mini.known { outline: 2px solid var(--mind); }
  .sign { width: 16px; height: 16px; flex: none; }
  .heart { width: 15px; height: 15px; color: var(--reality); }
  .life { display: inline-flex; align-items: center; gap: 5px; white-space: nowrap; }
  .hearts { display: inline-flex; gap: 1px; }
  .life strong { color: var(--reality-ink); font-size: 18px; }
  .tokens { display: inline-flex; align-items: center; gap: 2px; color: var(--power-ink); font-weight: 800; white-space: nowrap; }

  /* counters of what is unseen */
  .counter { min-width: 0; }
  .counter .label { font-size: 12px; line-height: 1.2; color: var(--ink-soft); overflow: hidden; text-overflow: ellipsis; white-space: nowrap; margin-bottom: 3px; }
  .unseen-in { display: flex; align-items: center; gap: 3px; } .unseen-in :is(.av, .deck-mark) { width: 18px; height: 18px; font: 800 12px/18px var(--font); text-align: center; border-radius: 6px; }
  .counter ul { display: flex; gap: 4px; }
  .counter li { display: flex; flex-direction: column; align-items: center; width: 30px; border-radius: 6px; background: linear-gradient(160deg, var(--k1), var(--k2)); color: #fff; padding: 1px 0 3px; }
  .counter .number { font: 800 15px/1.15 var(--font); }
  .counter li.none { background: none; color: var(--ink-soft); box-shadow: inset 0 0 0 1px var(--line-strong); }
  .counter li.none .number { text-decoration: line-through; }
  .pips { display: flex; gap: 1.5px; }
  .pips i { width: 6px; height: 6px; border-radius: 50%; background: currentColor; }
  .pips i.spent { background: none; box-shadow: inset 0 0 0 1px currentColor; }

  /* Thanos */
  .side.thanos { display: grid; grid-template-columns: 140px 230px minmax(0, 1fr) 300px; gap: 14px; padding: 10px 14px; background: linear-gradient(180deg, var(--power-wash), var(--surface)); align-items: center; overflow: hidden; }
  .as-thanos .side.thanos { grid-template: auto minmax(0, 1fr) / 130px minmax(0, 1fr); grid-template-areas: "glory holding" "glory known"; gap: 8px 12px; align-items: start; }
  .as-thanos .side.thanos .known { gap: 4px; }
  .as-thanos .glory { grid-area: glory; align-self: center; } .as-thanos .holding { grid-area: holding; } .as-thanos .known { grid-area: known; }
  .glory { height: 100%; min-height: 0; display: grid; place-items: center; }
  .gauntlet { max-width: 100%; max-height: 152px; height: 100%; filter: drop-shadow(0 3px 4px var(--drop, var(--shade))); }
  .glove { fill: light-dark(#d9b65c, #b48b32); stroke: light-dark(#6a4d0c, #5a3f08); stroke-width: 2; }
  .cuff { fill: light-dark(#b98f35, #8d6a20); stroke: light-dark(#6a4d0c, #5a3f08); stroke-width: 2; }
  .seam { fill: none; stroke: light-dark(#6a4d0c, #5a3f08); stroke-width: 2; }
  .socket { fill: light-dark(#f4e7c3, #2a2030); stroke: light-dark(#6a4d0c, #e2c27a); stroke-width: 1.6; }
  .socket.held { stroke: var(--k1); stroke-width: 4; }
  .gauntlet text { font: 800 11px var(--font); fill: light-dark(#4a3505, #f4e3b4); }
  .holding { display: flex; flex-direction: column; gap: 7px; justify-content: center; min-width: 0; }
  .side h2, .hero h3, .own h3 { display: flex; align-items: center; gap: 8px; min-width: 0; font-size: 16px; font-weight: 700; }
  .side.thanos .av { width: 24px; height: 24px; }
  .role { flex: none; font: 700 12px/1.6 var(--font); padding: 0 8px; border-radius: 10px; background: #3c2169; color: #fff; }
  .row { display: flex; align-items: center; gap: 12px; min-width: 0; }
  .hidden-hand { display: inline-flex; gap: 6px; }
  /* The deck keeps its place, however many cards lie beside it. */
  .holding .pile { order: -1; }
  .side.thanos .known { display: flex; flex-direction: column; gap: 7px; justify-content: flex-start; align-self: stretch; min-width: 0; min-height: 0; max-height: 100%; overflow: hidden; }
  .faceup { display: flex; flex-wrap: wrap; gap: 4px; min-width: 0; }
  .side.thanos .faceup { flex-wrap: nowrap; min-height: 38px; } .side.thanos .faceup .mini { flex: 0 1 30px; min-width: 13px; }
  .deck-known { display: flex; align-items: center; gap: 6px; min-width: 0; }
  .decks .label { display: none; } .decks .notes { flex: 1; max-height: 66px; }
  .deck-known .label { font-size: 12px; color: var(--ink-soft); max-width: 70px; line-height: 1.1; }
  .places { display: inline-flex; gap: 3px; }
  .places .mini { width: 34px; height: 44px; } .places .mark { font-size: 14px; line-height: 22px; min-width: 22px; height: 22px; }
  .notes { display: flex; flex-direction: column; gap: 2px; min-width: 0; font-size: 12px; line-height: 1.2; color: var(--ink-soft); overflow: hidden; }
  .notes li { display: flex; gap: 3px; min-width: 0; }
  .notes li span { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; text-overflow: ellipsis; }
  .notes .sign { width: 13px; height: 13px; margin-top: 1px; }
  .acting { box-shadow: 0 0 0 2px var(--sc), 0 3px 8px var(--shade); }

  /* what has just happened */
  .arena { display: flex; align-items: center; justify-content: center; gap: 18px; min-width: 0; min-height: 0; overflow: hidden; padding: 6px 10px; }
  .side.thanos .arena { height: 100%; justify-content: flex-start; border-left: 1px solid var(--line); padding: 0 0 0 14px; }
  .as-thanos > .arena { background: var(--mat, var(--sunken)); border: 1px solid var(--mat-edge, var(--line)); border-radius: 16px; }
  .pictures { display: flex; align-items: center; gap: 10px; flex: none; max-width: 66%; min-width: 0; }
  .spot, .fight, .fan { display: inline-flex; align-items: center; gap: 8px; }
  .spot { position: relative; flex-direction: column; gap: 3px; font-size: 12px; font-weight: 600; text-align: center; max-width: 84px; }
  .spot:only-child, .spot:only-child .by { max-width: 140px; }
  .by { max-width: 84px; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; line-height: 1.2; }
  .by .sign { width: 13px; height: 13px; vertical-align: -2px; }
  .shown { position: relative; display: grid; place-items: center; width: 60px; height: 77px; border-radius: 8px; flex: none; }
  .guessed { font: 800 34px/1 var(--font); text-shadow: 0 2px 3px rgb(0 0 0 / .5); }
  .shown.lost { filter: grayscale(.8) brightness(.8); transform: rotate(8deg); }
  .shown.won { outline: 2px solid var(--time); outline-offset: 1px; }
  .shown.copied { outline: 2px dashed var(--time); }
  .meeting .clash { width: 44px; height: 44px; color: var(--soul); }
  .equal { font: 800 34px/1 var(--font); color: var(--soul); }
  .bonus { position: absolute; top: -4px; right: -8px; display: inline-flex; align-items: center; font: 800 12px/1.4 var(--font); padding: 0 4px; border-radius: 8px; background: var(--power-wash); color: var(--power-ink); border: 1px solid var(--power); }
  .gift .sign { width: 34px; height: 34px; color: var(--power); }
  .snapped .gauntlet { height: 100px; }
  .then { color: var(--ink-soft); width: 14px; height: 14px; }
  .lines { font-size: 14px; font-weight: 600; line-height: 1.25; min-width: 0; max-width: 26rem; display: flex; flex-direction: column; gap: 2px; }
  .lines li:first-child:not(:last-child) { font-size: 13px; font-weight: 500; color: var(--ink-soft); }
  .lines li { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 3; overflow: hidden; text-overflow: ellipsis; }
  .lines :is(img, svg) { display: inline; width: 20px; height: 20px; vertical-align: -5px; }
  .calm { color: var(--ink-soft); }
  .ending { font-size: 15px; font-weight: 700; line-height: 1.3; }
  .verdict { display: block; font-size: 20px; }

  /* the heroes */
  .side.heroes { display: grid; grid-template-columns: 248px minmax(0, 1fr); gap: 8px; min-height: 0; min-width: 0; }
  .common { padding: 10px 12px; display: flex; flex-direction: column; gap: 6px; position: relative; }
  .common header { display: flex; align-items: center; gap: 6px; min-width: 0; } .common h2 { flex: none; font-size: 15px; }
  .common .life, .common .hearts { min-width: 0; overflow: hidden; } .common .heart { flex: none; width: 9px; height: 9px; }
  .common .stock { display: flex; flex: 1; flex-direction: column; gap: 8px; min-height: 0; min-width: 0; }
  .decks { display: flex; align-items: center; gap: 8px; min-width: 0; }
  .common .counters { position: relative; min-width: 0; overflow: auto; scrollbar-width: thin; display: grid; gap: 4px; }
  .team { display: grid; grid-auto-flow: column; grid-auto-columns: minmax(0, 1fr); gap: 8px; min-height: 0; min-width: 0; }
  .hero { display: flex; flex-direction: column; gap: 6px; padding: 8px; border-top: 4px solid var(--sc); overflow: hidden; }
  .hero h3 { font-size: 14px; gap: 6px; } .hero .av { width: 24px; height: 24px; }
  .hero .who { flex: 1; }
  .hero-cards { display: flex; gap: 8px; flex: 1; align-items: flex-start; min-height: 0; min-width: 0; }
  /* A second card lies over the first, in room that is kept for it. */
  .hero .hidden-hand { flex: none; width: 80px; } .hero .hidden-hand .mini + .mini { margin-left: -30px; }
  .deed { display: flex; align-items: center; gap: 6px; min-height: 46px; padding: 3px 6px; border-radius: 9px; background: var(--sunken); min-width: 0; overflow: hidden; font-size: 13px; }
  .deed .faceup { flex: 1; flex-wrap: nowrap; overflow: hidden; }
  .deed .faceup .mini { width: 22px; height: 28px; opacity: .85; } .deed .faceup .mini .emblem { width: 18px; top: 3px; } .deed .faceup .mini .number { display: none; }
  .done { display: inline-flex; align-items: center; gap: 5px; flex: none; width: 82px; }
  .guess { display: inline-grid; place-items: center; width: 22px; height: 22px; border-radius: 50%; border: 2px solid var(--line-strong); font: 800 12px/1 var(--font); }
  .high { color: var(--time-ink); } .low { color: var(--reality-ink); }
  .aid { margin-left: auto; }
  .aid summary { width: 44px; height: 44px; margin: -8px; display: grid; place-items: center; border-radius: 12px; font-weight: 800; color: var(--ink-soft); cursor: pointer; list-style: none; }
  .aid summary::-webkit-details-marker { display: none; }
  .aid[open] > div { position: fixed; z-index: 8; inset: 100px 12px 12px; max-width: 60rem; margin-inline: auto; padding: 14px; overflow: auto; background: var(--raised); box-shadow: 0 20px 60px rgb(0 0 0 / .45); }
  .aid .lists { columns: 2 22rem; }
  .aid[open] summary { position: relative; z-index: 9; background: var(--raised); }
  .reference { display: grid; gap: 6px; break-inside: avoid; margin-bottom: 10px; font-size: 13px; }
  .reference li { display: flex; gap: 8px; }
  .reference .number { flex: none; width: 22px; height: 22px; border-radius: 6px; display: grid; place-items: center; font-weight: 800; color: #fff; background: linear-gradient(160deg, var(--k1), var(--k2)); }

  /* one's own hand */
  .own { padding: 10px 12px; display: flex; flex-direction: column; gap: 6px; }
  .own h3 { font-size: 14px; } .own .av { width: 24px; height: 24px; }
  .hand { flex: 1; display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 10px; min-height: 0; padding: 3px; margin: -3px; }
  .as-thanos .hand, .hand.of-3 { grid-template-columns: repeat(3, minmax(0, 1fr)); } .hand.of-4 { grid-template-columns: repeat(4, minmax(0, 1fr)); }
  .own .hand.of-1::after, .as-thanos .hand.of-2::after { content: ""; border: 2px dashed var(--line-strong); border-radius: 14px; opacity: .5; }
  .card { container-type: size; display: flex; flex-direction: column; justify-content: flex-end; min-width: 0; min-height: 0; border-radius: 14px; width: 100%; height: 100%; }
  .card .art { position: absolute; inset: 4px 4px auto auto; width: min(62%, 100cqh - 116px); min-width: 40px; }
  .card .art .emblem { width: 100%; }
  .card .number { position: absolute; left: 12px; top: 4px; font: 800 38px/1.1 var(--font); text-shadow: 0 2px 4px rgb(0 0 0 / .5); }
  .print { position: relative; background: rgb(10 7 17 / .72); padding: 5px 10px; display: flex; flex-direction: column; gap: 1px; min-height: 58px; }
  .print .name { overflow-wrap: anywhere; font-size: 15px; line-height: 1.15; font-weight: 700; }
  .print .text { font-size: 12.5px; line-height: 1.22; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 4; overflow: hidden; text-overflow: ellipsis; }
  .own .print .text { -webkit-line-clamp: 5; }
  .card .verb { position: relative; min-height: 36px; flex: none; display: grid; place-items: center; font: 800 15px/1 var(--font); background: var(--button); color: var(--on-button); }
  .choice.card { outline: 2px solid var(--time); outline-offset: 1px; }
  .choice.card:hover .verb { background: var(--button-hover); }
  .seen { position: absolute; left: 10px; top: 46px; color: #fff; filter: drop-shadow(0 1px 2px #000); }
  .seen .sign { width: 20px; height: 20px; }
  .empty-hand { color: var(--ink-soft); align-self: center; }

  /* the question */
  .ask { padding: 10px 14px 12px; display: flex; flex-direction: column; gap: 8px; }
  .dock-head { display: flex; align-items: center; gap: 10px; min-height: 28px; }
  .dock-head h2 { flex: 1; align-self: stretch; display: flex; align-items: center; font: 800 18px/1.2 var(--font); }
  .undo { min-height: 44px; margin-block: -8px; padding: 0 12px; font-size: 20px; }
  .area { flex: 1; min-height: 0; min-width: 0; display: flex; flex-direction: column; gap: 8px; justify-content: center; }
  .area:has(.snap) { justify-content: flex-start; }
  .as-thanos .ask .hand { max-width: 60rem; }
  .as-thanos .ask.has-answers { display: grid; grid-template: auto minmax(0, 1fr) / minmax(0, 2fr) minmax(0, 3fr); gap: 8px 14px; }
  .as-thanos .ask.has-answers .dock-head { grid-column: 1 / 3; }
  .answers { display: flex; gap: 8px; min-width: 0; min-height: 0; }
  .numbers { flex: 1; }
  .number-choice { flex: 1; min-width: 0; min-height: 64px; max-height: 190px; border-radius: 14px; display: flex; flex-direction: column; align-items: center; justify-content: center; gap: 4px; color: #fff; }
  .number-choice .number { font: 800 32px/1 var(--font); text-shadow: 0 2px 3px rgb(0 0 0 / .5); position: relative; }
  .number-choice .hint { font-size: 12px; line-height: 1.1; text-align: center; position: relative; overflow-wrap: anywhere; }
  .number-choice.out { filter: saturate(.25) brightness(.75); }
  .number-choice.out .number { text-decoration: line-through; text-decoration-thickness: 3px; }
  .number-choice.sure { outline: 3px solid var(--time); outline-offset: 1px; }
  .outlook { flex: 1; min-height: 0; display: flex; flex-direction: column; justify-content: flex-end; gap: 4px; }
  .outlook .label { color: var(--ink-soft); font-size: 12px; }
  .outlook .numbers { flex: 0 1 110px; min-height: 0; display: flex; gap: 8px; }
  .outlook .number-choice { min-height: 0; border-radius: 10px; } .outlook .number { font-size: 22px; }
  .seats { flex-wrap: wrap; align-content: center; }
  .seat-choice { flex: 1 1 150px; max-width: 300px; padding: 6px 12px; justify-content: flex-start; text-align: left; border-left: 5px solid var(--sc); box-shadow: 0 0 0 2px var(--time); }
  .their-cards { display: none; gap: 6px; }
  .whom { display: grid; gap: 1px; min-width: 0; line-height: 1.15; }
  .as-hero .whom strong { white-space: normal; }
  .whom strong { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  .seat-choice .verb { display: inline-flex; align-items: center; gap: 4px; font-size: 13px; font-weight: 600; color: var(--ink-soft); }
  .cards { flex: 1; overflow-x: auto; scrollbar-width: thin; padding: 3px; margin: -3px; }
  .cards .card { flex: 1 0 118px; max-width: 220px; }
  .cards .spot { justify-content: center; }
  .duel { display: flex; align-items: center; justify-content: center; gap: 16px; min-height: 0; padding: 5px 10px; overflow: hidden; }
  .duel .clash { width: 40px; height: 40px; color: var(--soul); }
  .plain { justify-content: flex-end; flex-wrap: wrap; }
  .plain .word { flex: 1; max-width: 320px; }
  .snap { display: flex; text-align: left; box-shadow: 0 0 0 2px var(--time); padding: 6px 14px; }
  .snap .gauntlet { width: 60px; height: 66px; flex: none; } .snap strong { display: block; font-size: 17px; }
  .waiting { padding: 10px 16px; display: flex; align-items: center; font: 800 17px/1.2 var(--font); }
`;

const middle = css`
  @container stage (max-width: 1099px) {
    .as-hero { grid-template: "foe" 254px "team" 250px "own" minmax(0, 1fr) "ask" 190px / minmax(0, 1fr); }
    .as-thanos { grid-template: "team" 250px "arena" 110px "foe" minmax(0, 1fr) "ask" 300px / minmax(0, 1fr); }
    .watching { grid-template: "foe" 254px "team" minmax(0, 1fr) "ask" 64px / minmax(0, 1fr); }
    .side.thanos { grid-template: 140px minmax(0, 1fr) / 120px minmax(0, 1fr) 300px; }
    .as-thanos .side.thanos { grid-template: "glory holding" auto "glory known" minmax(0, 1fr) / 150px minmax(0, 1fr); }
    .side.thanos .known { grid-column: 3; grid-row: 1; }
    .as-thanos .side.thanos .known { grid-area: known; gap: 4px; }
    .as-thanos .holding { display: grid; grid-template: auto auto / minmax(0, 1fr) auto; } .as-thanos .holding .row:last-child { grid-area: 1 / 2 / 3 / 3; flex-direction: row-reverse; }
    .side.thanos .arena { grid-row: 2; grid-column: 1 / 4; border-left: 0; border-top: 1px solid var(--line); padding: 6px 0 0; justify-content: center; }
    .side.heroes { grid-template: 84px minmax(0, 1fr) / minmax(0, 1fr); }
    .common { flex-direction: row; align-items: center; }
    .common .stock { flex-direction: row; align-items: center; align-self: stretch; }
    .common .counters { max-height: 100%; }
    .common header { flex: 1; }
    .shown { width: 50px; height: 64px; }
    .guessed { font-size: 28px; }
    .card .art { width: min(40%, 100cqh - 40px); max-width: 96px; }
    .as-thanos .seat-choice .verb { display: none; }
  }
`;

const narrow = css`
  @container stage (max-width: 699px) {
    .table { gap: 5px; padding: 5px 6px 6px; }
    .as-hero { grid-template: "foe" 258px "team" 184px "own" minmax(0, 1fr) "ask" 142px / minmax(0, 1fr); }
    .as-thanos { grid-template: "team" 204px "arena" 84px "foe" minmax(0, 1fr) "ask" 262px / minmax(0, 1fr); }
    .watching { grid-template: "foe" 260px "team" minmax(0, 1fr) "ask" 56px / minmax(0, 1fr); }
    .mini { width: 36px; height: 45px; }
    .mini .number { font-size: 12px; left: 3px; top: 0; }
    .mark { font-size: 14px; line-height: 22px; min-width: 22px; height: 22px; }
    .faceup .mini { width: 29px; height: 36px; } .side.thanos .faceup { min-height: 36px; }
    .heart { width: 13px; height: 13px; } .life strong { font-size: 15px; }
    .counter li { width: 29px; } .counter .number { font-size: 13px; } .counter ul { gap: 3px; }
    .pips i { width: 5px; height: 5px; }
    .side.thanos { grid-template: 84px minmax(0, 1fr) 82px / 70px minmax(0, 1fr); gap: 4px 8px; padding: 6px 8px; }
    .side.thanos .glory .gauntlet { max-height: 84px; }
    .gauntlet text { font-size: 19px; }
    .holding { gap: 3px; }
    .side h2 { font-size: 14px; gap: 5px; } .side.thanos .av { width: 20px; height: 20px; font-size: 12px; }
    .row { gap: 8px; }
    .side.thanos .arena { grid-column: 1 / 3; grid-row: 2; padding: 4px 0 0; gap: 10px; }
    .side.thanos .known { grid-column: 1 / 3; grid-row: 3; gap: 3px; }
    .side.thanos .known .counter .label { display: none; }
    .side.thanos .known .notes { flex-direction: row; white-space: nowrap; }
    /* The name has the room over the glove too; room is kept for what the reader knows of the deck: nothing makes way for it. */
    .as-thanos .side.thanos { grid-template: "who who deck" 26px "glory life deck" 26px "glory known known" minmax(0, 1fr) / 92px minmax(0, 1fr) 172px; gap: 4px 8px; }
    .as-thanos .side.thanos .known { grid-area: known; justify-content: flex-start; }
    .as-thanos .holding { display: contents; } .as-thanos .holding h2 { grid-area: who; } .as-thanos .holding .row { grid-area: life; }
    .as-thanos .holding .row:last-child { grid-area: deck; overflow: hidden; }
    .as-thanos .side.thanos .known .notes { flex-direction: column; white-space: normal; }
    .as-thanos .deck-known .label { max-width: 60px; } .as-thanos .holding .places .mini { width: 26px; height: 34px; }
    /* There is room for one of them, and who plays Thanos knows their own name. */
    .as-thanos .side.thanos .who, .as-thanos .side.thanos .hearts { display: none; }
    .as-thanos .side.thanos .life::before { content: "♥"; color: var(--reality); }
    .shown { width: 42px; height: 54px; } .shown .number { font-size: 12px; left: 3px; top: 0; }
    .guessed { font-size: 24px; } .side.thanos .arena .shown { width: 38px; height: 48px; }
    .spot, .by { max-width: 70px; } .spot:only-child, .spot:only-child .by { max-width: 110px; }
    .pictures { gap: 5px; max-width: 62%; } .spot, .fight, .fan { gap: 4px; }
    .meeting .clash { width: 26px; height: 26px; } .equal { font-size: 24px; }
    .lines { font-size: 13px; line-height: 1.2; } .lines li { -webkit-line-clamp: 2; } .lines li:only-child { -webkit-line-clamp: 4; } .lines li:first-child:not(:last-child) { font-size: 12px; }
    .arena { gap: 8px; padding: 2px 6px; }
    .pictures:has(> :nth-child(5)) > :nth-child(-n+2) { display: none; }
    .pictures:has(> .fight) > :not(.fight), .pictures:has(> .fight) + .lines li:first-child:not(:last-child) { display: none; } .pictures:has(> .fight) + .lines li { -webkit-line-clamp: 4; }
    .snapped .gauntlet { height: 60px; }
    .side.heroes { grid-template: 46px minmax(0, 1fr) / minmax(0, 1fr); gap: 4px; }
    .common { padding: 3px 8px; gap: 6px; border-radius: 10px; }
    .common header { flex: none; gap: 0 5px; flex-wrap: wrap; max-width: 84px; }
    .common h2 { font-size: 12px; } .common .hearts { display: none; }
    .common .life::before { content: "♥"; color: var(--reality); }
    .aid { position: absolute; right: 2px; top: 2px; z-index: 1; }
    .aid summary { margin: 0; height: 44px; width: 44px; }
    .common .pile { width: 30px; height: 36px; }
    .common .counter .label { display: none; }
    .common .stock { gap: 6px; margin-right: 40px; flex: 1; overflow: hidden; position: relative; }
    .common .notes { display: none; } .decks { flex: none; gap: 4px; } .decks .places .mini { width: 26px; height: 34px; } .decks .places { gap: 2px; }
    .common .counters { display: flex; gap: 10px; } .common .counter { flex: none; }
    .common .counters:has(> :nth-child(2)) { mask-image: linear-gradient(90deg, #000 calc(100% - 24px), transparent); padding-inline-end: 24px; }
    .common .counter li { width: 26px; }
    .team { gap: 4px; }
    .hero { padding: 4px; gap: 3px; border-radius: 10px; border-top-width: 3px; }
    .hero h3 { font-size: 12px; gap: 3px; } .hero .av { width: 20px; height: 20px; font-size: 12px; }
    .hero .tokens { font-size: 12px; } .hero .tokens .sign { width: 12px; height: 12px; }
    .hero-cards { gap: 3px; align-items: flex-start; }
    .notes { font-size: 12px; letter-spacing: -.3px; line-height: 1.1; } .notes .sign { display: none; }
    .notes li span { -webkit-line-clamp: 3; }
    .hero { position: relative; }
    .hero h3 { flex-wrap: wrap; } .hero h3 .who { flex: 1 0 100%; }
    .hero h3 .tokens { position: absolute; right: 4px; top: 5px; }
    .hero .hidden-hand { width: 58px; } .hero .hidden-hand .mini + .mini { margin-left: -20px; }
    .team.of-5 .hero-cards { flex-direction: column; align-items: center; gap: 1px; }
    .team.of-5 .hero h3 { justify-content: center; text-align: center; }
    .team.of-4 .notes, .team.of-5 .notes { display: none; }
    .deed { padding: 2px 3px; gap: 2px; min-height: 38px; }
    .done { gap: 2px; } .done .mini { width: 26px; height: 32px; }
    .done { width: auto; } .team.of-5 .done .mini { width: 22px; height: 30px; } .team.of-5 .done .guess { width: 18px; height: 18px; }
    .deed .faceup { display: none; }
    .aid[open] > div { inset: 96px 6px 6px; } .aid .lists { margin-inline-end: 30px; }
    .own { padding: 5px 8px; gap: 3px; } .own h3 { font-size: 12px; } .own .av { width: 20px; height: 20px; font-size: 12px; }
    .hand { gap: 6px; }
    .card { border-radius: 11px; }
    .card .number { font-size: 24px; left: 8px; top: 2px; }
    .card .art { width: 44px; inset: 3px 4px auto auto; min-width: 0; }
    .print { padding: 3px 7px; min-height: 0; }
    .print .name { font-size: 13px; } .print .text { font-size: 12px; line-height: 1.15; -webkit-line-clamp: 3; }
    .card .verb { min-height: 30px; font-size: 14px; } .hand.of-4 .verb { font-size: 12px; } .own .choice .text { -webkit-line-clamp: 2; } .own:has(+ .has-answers) .text { -webkit-line-clamp: 3; } .own:has(+ .has-answers) .choice .text { -webkit-line-clamp: 2; }
    .seen { left: auto; right: 52px; top: 6px; }
    .ask { padding: 6px 8px 7px; gap: 5px; }
    .dock-head { height: 34px; gap: 5px; } .undo { min-height: 34px; margin-block: 0; } .dock-head h2 { font-size: 14px; }
    .as-thanos .ask.has-answers { grid-template: auto minmax(0, 66px) minmax(0, 1fr) / minmax(0, 1fr); }
    .as-thanos .ask.has-answers .dock-head { grid-column: 1; }
    .as-thanos .ask.has-answers .area { grid-row: 3; }
    .as-thanos .ask:not(.has-answers) .text { -webkit-line-clamp: 6; }
    .as-thanos .has-answers .hand .text { display: none; } .as-thanos .has-answers .hand .number { font-size: 18px; } .as-thanos .has-answers .hand .art { width: 34px; }
    .as-thanos .area { justify-content: flex-start; overflow-y: auto; position: relative; padding: 3px; margin: -3px; } .as-thanos .cards { height: 100%; }
    .answers { gap: 4px; }
    .outlook { gap: 2px; } .outlook .numbers { gap: 4px; } .outlook .number-choice { min-height: 0; } .outlook .number { font-size: 18px; }
    .number-choice { border-radius: 11px; gap: 2px; min-height: 74px; } .number-choice .number { font-size: 24px; } .number-choice .hint { letter-spacing: -.4px; }
    .seats { gap: 2px 4px; }
    .seat-choice { flex: 1 1 108px; padding: 3px 6px; font-size: 13px; gap: 5px; min-height: 44px; } .seat-choice .av { width: 22px; height: 22px; } .seat-choice .verb { display: none; }
    .seats { max-height: 100%; overflow: auto; padding: 3px; margin: -3px; }
    .duel { gap: 8px; } .duel .clash { width: 26px; height: 26px; }
    .as-hero .area:has(.duel) { flex-direction: row; align-items: center; } .as-hero .area:has(.duel) .plain { flex: 1; flex-direction: column; }
    .cards .card { flex-basis: 108px; } .cards .card .number { z-index: 1; } .cards .print .name { padding-left: 16px; } .cards .print .text { -webkit-line-clamp: 1; }
    .plain .word { padding: 0 10px; }
    .snap { padding: 2px 10px; flex: none; } .snap .gauntlet { width: 34px; height: 38px; } .snap strong { font-size: 15px; } .snap strong + span { font-size: 12px; line-height: 1.1; white-space: normal; }
  }
  @container stage (max-width: 699px) and (max-height: 740px) {
    .as-hero { grid-template-rows: 234px 184px minmax(0, 1fr) 142px; }
    .own .choice .text { display: none; } /* under the words of a coach: the number stays in sight */
  }
  @container stage (max-width: 699px) and (max-height: 660px) {
    .as-hero { grid-template-rows: 140px 116px minmax(0, 1fr) 136px; }
    .as-thanos { grid-template-rows: 130px 0 minmax(0, 1fr) 236px; }
    .as-thanos .arena, .side.thanos .arena { display: none; }
    .deed { display: none; }
    .hero h3 { flex-wrap: nowrap; } .hero h3 .who { flex: 1; } .as-thanos .has-answers .hand .print { padding: 1px 5px; } .as-thanos .has-answers .hand .number { font-size: 16px; } .as-thanos .has-answers .art { width: 30px; }
    .side.thanos { grid-template-rows: 84px auto; } .side.thanos .known { grid-row: 2; }
    .side.thanos .faceup { display: none; } .as-thanos .side.thanos .faceup { display: flex; }
    .print .text { -webkit-line-clamp: 2; }
  }
  @container stage (min-width: 1100px) and (min-height: 600px) {
    /* Whom a hero chooses, with the cards they hold: there is room for them. */
    .as-hero .seat-choice { display: grid; grid-template-columns: auto minmax(0, 1fr); align-content: center; gap: 8px; min-height: 144px; }
    .as-hero .their-cards { display: inline-flex; grid-column: 1 / 3; justify-self: center; }
  }
  @container stage (min-width: 1100px) and (max-height: 620px) {
    .own .choice .text { -webkit-line-clamp: 3; } /* under the words of a coach: the number stays in sight */
  }
  @container stage (min-width: 1100px) and (max-height: 600px) {
    .own .choice .text { -webkit-line-clamp: 2; }
    .as-hero { grid-template-rows: 156px 158px minmax(0, 1fr); }
    .as-thanos { grid-template-rows: 152px minmax(0, 1fr) 246px; }
    .gauntlet { max-height: 130px; } .gauntlet text { font-size: 12px; }
    .hero .mini { height: 54px; width: 44px; } .deed { min-height: 40px; } .deed .done .mini { width: 28px; height: 34px; }
    .shown { width: 46px; height: 58px; }
    .print .text { -webkit-line-clamp: 2; }
  }
  @container stage (min-width: 1100px) and (min-height: 760px) {
    .as-hero { grid-template-rows: 210px 220px minmax(0, 1fr); }
    .as-thanos { grid-template-rows: 220px minmax(0, 1fr) 330px; }
  }
`;

export const styles = [common, base, middle, narrow];
