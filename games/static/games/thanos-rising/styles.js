// How the table of Thanos Rising looks: everything on one screen, in three widths.

import { css } from "../../vendor/lit.js";
import { common } from "../board/styles.js";

const base = css`
  .table { display: grid; gap: 8px 10px; padding: 8px 14px 10px; grid-template: "standing standing standing standing" 36px "stones sectors sectors others" minmax(0, 1fr) "own own dock dock" 168px / 178px minmax(0, 1fr) 314px 236px; }
  .standing { grid-area: standing; display: flex; gap: 10px; align-items: center; min-width: 0; }
  .tally { display: flex; align-items: center; gap: 6px; height: 36px; padding: 0 14px; border-radius: 18px; background: var(--surface); border: 1px solid var(--line); white-space: nowrap; min-width: 0; }
  .tally b { font-size: 20px; font-weight: 700; }
  .tally small { font-size: 13px; color: var(--ink-soft); }
  .tally-words { font-size: 12px; color: var(--ink-soft); overflow: hidden; text-overflow: ellipsis; }
  .tally-villains .glyph { color: var(--time); } .tally-heroes .glyph { color: var(--reality); }
  .glyph { width: 18px; height: 18px; flex: none; fill: currentColor; display: block; }
  .gem-picture { width: 24px; height: 24px; flex: none; display: block; }
  .omens { margin-left: auto; padding: 0 8px; gap: 4px; }
  .omens .die-block { width: 30px; height: 30px; }
  .piles { padding: 0 10px; gap: 5px; }
  .turn-number { min-width: 6rem; justify-content: center; }
  .piles b, .turn-number { font-size: 14px; font-weight: 700; }
  .card-back { width: 14px; height: 19px; border-radius: 3px; background: linear-gradient(160deg, #5a4f7a, #15111f); }
  .token-back { width: 16px; height: 16px; border-radius: 50%; margin-left: 5px; background: linear-gradient(160deg, #b98f35, #5a3f08); }

  .stones { grid-area: stones; padding: 8px; display: flex; flex-direction: column; gap: 4px; }
  .glove-box { flex: 1; min-height: 0; display: grid; place-items: center; }
  .gauntlet { height: 100%; max-height: 130px; min-height: 0; width: auto; }
  .glove { fill: light-dark(#d9b65c, #b48b32); stroke: light-dark(#6a4d0c, #5a3f08); stroke-width: 2; }
  .cuff { fill: light-dark(#b98f35, #8d6a20); stroke: light-dark(#6a4d0c, #5a3f08); stroke-width: 2; }
  .seam { fill: none; stroke: light-dark(#6a4d0c, #5a3f08); stroke-width: 2; }
  .socket { fill: light-dark(#f4e7c3, #2a2030); stroke: light-dark(#6a4d0c, #e2c27a); stroke-width: 1.6; }
  .stone { position: relative; display: grid; grid-template-columns: 26px 1fr auto; align-items: center; gap: 6px; min-height: 44px; border-radius: 10px; padding: 0 6px; font-size: 13px; border: 1px solid var(--line); background: var(--surface); min-width: 0; }
  .stone.is-taken { background: var(--reality-wash); border-color: var(--reality); }
  .stone-name { min-width: 0; overflow: hidden; text-overflow: ellipsis; }
  .taken { font-size: 12px; color: var(--reality-ink); }
  .counters { display: flex; gap: 2px; }
  .counters i { width: 8px; height: 14px; border-radius: 2px; border: 1.5px solid var(--line-strong); }
  .counters i.on { background: var(--ink); border-color: var(--ink); }
  .number { font-weight: 700; }
  .short { display: none; font: 700 12px/1.2 var(--font); }
  .stone.can, .asset.can, .hero-card.can, .small-card.can { outline: 3px solid var(--time); outline-offset: 0; }
  .stone.picked, .asset.picked, .hero-card.picked, .token.picked { outline: 3px solid var(--mind); }
  .asset:focus-visible, .hero-card:focus-visible, .stone:focus-visible, .token:focus-visible, .die:focus-visible { outline: 3px solid var(--space); outline-offset: -2px; }
  .plus { position: absolute; right: 4px; top: 4px; width: 22px; height: 22px; border-radius: 50%; background: var(--time-ink); color: light-dark(#fff, #0b1a12); font: 800 17px/21px var(--font); text-align: center; }
  .stone .plus, .die .plus, .token .plus, .small-card .plus { display: none; }

  /* the sectors: always one, two, three */
  .sectors { grid-area: sectors; display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: 8px; min-height: 0; }
  .sector { display: flex; flex-direction: column; gap: 6px; padding: 6px; position: relative; }
  .sector header { display: flex; align-items: center; gap: 6px; height: 44px; flex: none; padding-left: 4px; min-width: 0; }
  .sector h2 { font-weight: 700; white-space: nowrap; }
  .sector ul { flex: 1; display: grid; grid-template-rows: repeat(3, minmax(0, 1fr)); gap: 6px; min-height: 0; }
  .sector li { min-height: 0; display: grid; }
  .is-faced { background: linear-gradient(180deg, var(--power-wash), var(--mat, var(--sunken)) 70%); border-color: var(--power); }
  .is-here { box-shadow: 0 0 0 3px var(--sc), inset 0 2px 6px var(--shade); }
  .is-far .asset { filter: saturate(.55); }
  .titan { width: 38px; height: 38px; flex: none; border-radius: 50%; background: #3c2169; display: grid; place-items: center; }
  .titan .emblem { width: 32px; }
  .flag { display: inline-flex; align-items: center; gap: 5px; height: 30px; padding: 0 10px 0 3px; border-radius: 15px; background: var(--sc); color: #fff; font-size: 13px; min-width: 0; }
  .flag .av { width: 24px; height: 24px; background: rgb(0 0 0 / .27); }
  .deploy { flex: 1; padding: 0 8px; font-size: 14px; min-width: 0; }
  .gap { border: 2px dashed var(--line-strong); border-radius: 10px; opacity: .6; }

  /* cards */
  .asset, .hero-card { position: relative; background: var(--surface); border-radius: 10px; overflow: hidden; box-shadow: inset 0 0 0 1px var(--line), 0 2px 0 var(--edge), 0 4px 8px var(--shade); min-height: 0; min-width: 0; width: 100%; height: 100%; }
  .asset { display: grid; grid-template: minmax(0, 1fr) auto / 64px minmax(0, 1fr); }
  .art { display: grid; place-items: center; border-radius: 0; box-shadow: none; }
  .asset .art { grid-row: 1 / 3; }
  .asset .emblem { width: 54px; }
  .type { position: absolute; left: 3px; top: 3px; width: 20px; height: 20px; border-radius: 50%; background: #0d0a14b0; display: grid; place-items: center; color: #fff; }
  .type .glyph { width: 13px; height: 13px; }
  .print { padding: 5px 6px 2px 8px; display: flex; flex-direction: column; gap: 2px; min-width: 0; min-height: 0; overflow: hidden; }
  .card-name { font-size: 14px; font-weight: 700; line-height: 1.1; overflow-wrap: anywhere; }
  .is-villain .card-name { color: var(--reality-ink); font-size: 13px; } /* Generale Esternauta 5, in one line */
  .text { font-size: 12px; line-height: 1.15; color: var(--ink-soft); display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 3; overflow: hidden; text-overflow: ellipsis; }
  .can .print .card-name { padding-right: 20px; }
  .wants { display: flex; flex-wrap: wrap; gap: 2px; margin-top: auto; }
  .want { width: 20px; height: 20px; border-radius: 5px; border: 1.5px dashed; display: grid; place-items: center; flex: none; }
  .want .glyph { width: 14px; height: 14px; }
  .n-battle { color: var(--reality-ink); } .n-technology { color: var(--space-ink); } .n-mystic { color: var(--time-ink); } .n-cosmic { color: var(--power-ink); }
  .want.filled { border-style: solid; background: currentColor; }
  .want.filled .glyph { color: var(--surface); }
  .many .want { width: 17px; }
  .health { display: flex; gap: 2px; padding: 2px 8px 5px; align-items: center; }
  .health i { flex: 1; max-width: 18px; height: 7px; border-radius: 3px; background: var(--time); border: 1px solid light-dark(#0c673a, #74e0ab); }
  .health i.hurt { background: repeating-linear-gradient(45deg, var(--reality) 0 2px, transparent 2px 4px); border-color: var(--reality); }
  .is-spent .art { filter: saturate(.35); }
  .is-down .art { filter: grayscale(1); }

  /* the others */
  .others { grid-area: others; display: grid; grid-template-rows: repeat(3, minmax(0, 1fr)); gap: 8px; min-height: 0; }
  .others.of-2 { grid-template-rows: repeat(2, minmax(0, 140px)); } .others.of-1 { grid-template-rows: minmax(0, 140px); }
  .mate { padding: 7px 9px; border-left: 5px solid var(--sc); display: flex; flex-direction: column; justify-content: space-between; gap: 4px; }
  .team h2 { display: flex; align-items: center; gap: 6px; font-size: 14px; min-width: 0; }
  .mate .who { flex: 1; }
  .mate .base { display: none; }
  .mate.is-active { box-shadow: 0 0 0 2px var(--sc), 0 3px 8px var(--shade); }
  .mate .tokens { display: flex; gap: 3px; min-width: 0; overflow: hidden; }
  .coin { width: 24px; height: 24px; flex: none; border-radius: 50%; background: var(--cc); display: inline-grid; place-items: center; color: #fff; box-shadow: inset 0 0 0 2px rgb(255 255 255 / .4), 0 2px 0 rgb(0 0 0 / .4); }
  .coin .glyph { width: 14px; height: 14px; }
  .coin-reality { --cc: #c02a40; } .coin-space { --cc: #2158c4; } .coin-time { --cc: #10703f; } .coin-power { --cc: #7038c0; } .coin-soul { --cc: #b3540a; } .coin-mind { --cc: #8a6600; }
  .small-cards { display: flex; gap: 6px; min-height: 0; }
  .small-cards li { flex: 0 1 48px; min-width: 0; }
  .small-card { position: relative; display: flex; flex-direction: column; gap: 3px; width: 100%; min-height: 44px; }
  .small-card .mini { width: 100%; height: 52px; display: grid; place-items: center; border-radius: 7px; }
  .small-card .emblem { width: min(43px, 92%); }
  .small-card .health { padding: 0; gap: 1px; }
  .small-card .health i { height: 6px; }

  /* one's own team */
  .own { grid-area: own; padding: 8px 10px; display: grid; grid-template-columns: 122px minmax(0, 1fr); gap: 10px; border-left: 5px solid var(--sc); }
  .team-head { display: flex; flex-direction: column; gap: 4px; min-width: 0; min-height: 0; }
  .own h2 { font-size: 15px; font-weight: 700; line-height: 1.1; } .own .who { white-space: normal; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; }
  .own .base { font-size: 12px; line-height: 1.15; color: var(--ink-soft); }
  .own .tokens { display: flex; flex-wrap: wrap; gap: 4px; min-height: 0; overflow: auto; scrollbar-width: thin; padding: 2px; }
  .none { font-size: 12px; color: var(--ink-soft); }
  .token { position: relative; width: 44px; height: 44px; display: grid; place-items: center; border-radius: 12px; border: 1px solid var(--line-strong); }
  .token .coin { width: 32px; height: 32px; }
  .token .coin .glyph { width: 19px; height: 19px; }
  .token.can { border-color: var(--time); box-shadow: 0 0 0 2px var(--time); }
  .token.is-new { border-style: dashed; opacity: .8; }
  .times { position: absolute; right: 0; bottom: 0; min-width: 17px; border-radius: 9px; background: var(--ink); color: var(--surface); font: 700 12px/17px var(--font); text-align: center; }
  .heroes { display: grid; grid-auto-flow: column; grid-auto-columns: minmax(84px, 150px); gap: 8px; min-width: 0; min-height: 0; overflow-x: auto; scrollbar-width: thin; padding: 3px; margin: -3px; }
  .heroes li { min-height: 0; display: grid; }
  .hero-card { display: grid; grid-template: minmax(44px, 1fr) auto auto auto / minmax(0, 1fr); }
  .hero-card .emblem { width: 56px; height: 56px; }
  .hero-card .card-name { font-size: 13px; padding: 4px 7px 0; }
  /* Three lines have their place, whatever the card says now. */
  .hero-card .text { padding: 0; margin: 1px 7px 2px; min-height: 41px; -webkit-line-clamp: 4; }
  .text em { font-style: normal; color: var(--mind-ink); }

  /* the question and the dice */
  .dock { grid-area: dock; padding: 8px 14px 10px; display: grid; grid-template: auto minmax(0, 1fr) 46px / minmax(0, 1fr); gap: 6px; }
  .question { font: 800 16px/1.2 var(--font); overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  .hint { font-size: 14px; color: var(--ink-soft); }
  .tray { display: flex; align-items: center; gap: 10px; min-width: 0; min-height: 0; background: light-dark(#2d4a3a, #10251b); border-radius: 14px; padding: 2px 10px; box-shadow: inset 0 3px 8px rgb(0 0 0 / .5); color: #e6efe9; }
  .dice { display: flex; align-items: center; gap: 4px; flex: none; max-width: 100%; overflow-x: auto; scrollbar-width: none; }
  .die { width: 50px; height: 52px; display: grid; place-items: center; border-radius: 12px; }
  .die .die-block { width: 44px; height: 44px; filter: drop-shadow(0 3px 2px rgb(0 0 0 / .6)); }
  .dice.many .die { width: 40px; } .dice.many .die-block { width: 36px; height: 36px; }
  .die.can { box-shadow: inset 0 0 0 2px rgb(255 255 255 / .45); }
  .die.picked { transform: translateY(-3px) rotate(-4deg); box-shadow: inset 0 0 0 3px #f5cf5b; background: #f5cf5b22; }
  .hints { flex: 0 1 45%; margin-left: auto; min-width: 0; display: flex; flex-direction: column; align-items: flex-end; text-align: right; font-size: 12px; line-height: 1.2; max-height: 100%; overflow: hidden; }
  .hints p { max-width: 100%; overflow: hidden; text-overflow: ellipsis; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; }
  .hints p:only-child { -webkit-line-clamp: 3; }
  .tray:not(:has(.dice)) .hints { flex: 1; align-items: flex-start; text-align: left; font-size: 13px; }
  .hints .warning { color: #ffd27a; font-weight: 700; }
  .answers { position: relative; display: flex; gap: 8px; align-items: center; min-width: 0; overflow-x: auto; scrollbar-width: thin; padding: 1px; }
  .answers .btn { flex: none; padding: 0 14px; }
  .answers .act { margin-left: auto; }
  .answers .act ~ .act { margin-left: 0; }
  .answers .btn.go { flex: 1 0 auto; min-width: 40%; }
  .picked-up .act { margin-left: 0; }
  .answer-button { font-size: 14px; white-space: nowrap; }
  .answer-button .wrapped { white-space: normal; max-width: 108px; font-size: 13px; line-height: 1.1; text-align: left; }
  .answer-button .emblem { width: 30px; height: 30px; }
  .answer-button .die-block { width: 32px; height: 32px; }
  .chip-name { display: grid; text-align: left; font-size: 13px; line-height: 1.1; }
  .chip-name .health { padding: 2px 0 0; min-width: 40px; }
  .dock.of-bases { grid-template: auto minmax(0, 1fr) / minmax(0, 1fr); }
  .of-bases .answers { display: grid; grid-template: minmax(0, 1fr) / repeat(4, minmax(0, 1fr)); gap: 6px; }
  .base-choice { display: grid; justify-items: center; align-content: center; gap: 3px; padding: 4px !important; font-size: 12px; white-space: normal; height: 100%; box-shadow: 0 0 0 2px var(--time); }
  .base-choice .emblem { height: 48px; }
  .base-dice { display: flex; justify-content: center; flex-wrap: wrap; }
  .base-dice .die-block { width: 18px; height: 18px; }
`;

const middle = css`
  @container stage (max-width: 1099px) {
    .table { gap: 8px; padding: 8px; grid-template: "standing" 36px "stones" 58px "sectors" minmax(0, 1fr) "others" 98px "dock" 168px "own" 132px / minmax(0, 1fr); }
    .turn-number { display: none; }
    .tally { padding: 0 10px; }
    .stones { display: grid; grid-template: minmax(0, 1fr) / repeat(6, minmax(0, 1fr)); gap: 6px; padding: 6px; }
    .glove-box { display: none; }
    .stone { grid-template: auto auto / 26px minmax(0, 1fr); gap: 0 6px; padding: 2px 6px; }
    .stone .gem-picture { grid-row: 1 / 3; }
    .others, .others.of-1, .others.of-2 { grid-template: minmax(0, 1fr) / repeat(3, minmax(0, 1fr)); }
    .others.of-2 { grid-template-columns: repeat(2, minmax(0, 1fr)); } .others.of-1 { grid-template-columns: minmax(0, 1fr); }
    .asset { grid-template-columns: 52px minmax(0, 1fr); }
    .asset .emblem { width: 46px; }
    .small-cards li { flex-basis: 44px; }
    .small-card .mini { height: 40px; }
    .mate { padding: 6px 8px; }
    .hero-card .text { display: none; }
    .hero-card .emblem { width: 50px; height: 50px; }
    .heroes { grid-auto-columns: minmax(72px, 160px); }
    .tally-words { display: none; }
  }
`;

const narrow = css`
  @container stage (max-width: 699px) {
    .table { gap: 5px; padding: 5px 6px 6px; grid-template: "standing" 30px "stones" 54px "sectors" minmax(0, 1fr) "others" 66px "dock" 140px "own" 98px / minmax(0, 1fr); }
    /* Widths of their own: what the dice show must not push the others aside. */
    .standing { display: grid; grid-template-columns: 64fr 66fr 58fr 100fr 74fr; gap: 4px; }
    .tally { justify-content: center; min-width: 0; padding: 0 4px; height: 30px; gap: 3px; }
    .tally b { font-size: 16px; }
    .tally .gem-picture { width: 18px; height: 18px; }
    .omens .die-block { width: 24px; height: 24px; }
    .piles { gap: 3px; }
    .piles b { font-size: 12px; }
    .token-back { margin-left: 2px; }
    .stones { gap: 4px; padding: 4px; border-radius: 12px; }
    .stone { grid-template: auto auto / auto; justify-items: center; align-content: center; padding: 2px 0; gap: 0; }
    .stone .gem-picture { grid-row: auto; width: 22px; height: 22px; }
    .stone-name, .counters, .taken, .stone .number { display: none; }
    .short { display: block; }
    .sectors { gap: 4px; }
    .sector { padding: 3px; gap: 3px; border-radius: 11px; }
    .sector header { height: 44px; gap: 3px; padding-left: 3px; font-size: 13px; }
    .sector ul { gap: 4px; }
    .sector-word { display: none; }
    .titan { width: 30px; height: 30px; margin-left: auto; order: 2; }
    .titan .emblem { width: 25px; }
    .flag { height: 26px; padding: 0 3px; }
    .flag .av { width: 20px; height: 20px; font-size: 12px; }
    .flag .who { display: none; }
    .deploy { padding: 0 2px; font-size: 13px; box-shadow: none; }
    .asset { grid-template: 42px minmax(0, 1fr) auto / 40px minmax(0, 1fr); border-radius: 8px; }
    .asset .art { grid-row: 1; border-radius: 0 0 8px 0; }
    .asset .emblem { width: 35px; }
    .type { width: 17px; height: 17px; left: 1px; top: 1px; }
    .type .glyph { width: 11px; height: 11px; }
    .print { display: contents; overflow: visible; }
    .print .card-name { font-size: 12px; line-height: 1.05; padding: 5px 1px 0 4px; letter-spacing: -.4px; }
    .can .print .card-name { padding-right: 1px; }
    .print .text { display: none; }
    .wants { grid-column: 1 / 3; padding: 2px 4px 0; gap: 1.5px; margin: 0; align-self: center; }
    .want { width: 18px; height: 18px; border-radius: 4px; }
    .want .glyph { width: 13px; height: 13px; }
    .many { gap: 1px; }
    .many .want { width: 14px; border-width: 1px; }
    .many .want .glyph { width: 11px; height: 11px; }
    .asset .health { grid-column: 1 / 3; padding: 1px 4px 4px; gap: 1.5px; }
    .plus { width: 17px; height: 17px; font-size: 14px; line-height: 16px; right: 2px; top: 2px; }
    .asset .plus { left: 24px; right: auto; top: 26px; }
    .others, .others.of-1, .others.of-2 { gap: 4px; }
    .mate { padding: 3px 4px 4px; border-left-width: 4px; border-radius: 10px; gap: 2px; }
    .team h2 { font-size: 12px; gap: 3px; }
    .mate .av { width: 20px; height: 20px; font-size: 12px; }
    .mate .coin { width: 17px; height: 17px; }
    .mate .coin .glyph { width: 11px; height: 11px; }
    .small-cards { gap: 3px; }
    .small-cards li { flex-basis: 26px; }
    .small-card { min-height: 0; gap: 2px; }
    .small-card .mini { height: 25px; border-radius: 5px; }
    .small-card .health i { height: 5px; border-width: .5px; }
    .dock { padding: 5px 8px 6px; gap: 4px; }
    .question { font-size: 14px; }
    .tray { padding: 0 6px; border-radius: 12px; gap: 5px; }
    .dice { gap: 1px; }
    .die { width: 46px; height: 48px; }
    .die .die-block { width: 38px; height: 38px; }
    .hints .long { display: none; }
    .answers { gap: 5px; }
    .answers .btn { padding: 0 10px; font-size: 14px; }
    .answers .answer-button { padding: 0 7px; gap: 4px; }
    .chip-name .label { max-width: 66px; overflow: hidden; text-overflow: ellipsis; font-size: 12px; }
    .answer-button .emblem { width: 26px; height: 26px; }
    .own { grid-template-columns: 91px minmax(0, 1fr); padding: 4px 4px; gap: 5px; border-left-width: 4px; }
    .own .base { display: none; }
    .own h2 { font-size: 12px; }
    .own .av { width: 20px; height: 20px; font-size: 12px; }
    .team-head { gap: 2px; }
    .own .tokens { gap: 2px; padding: 1px; }
    .token { border-radius: 10px; width: 44px; }
    .heroes { gap: 4px; grid-auto-columns: minmax(52px, 84px); }
    .hero-card .emblem { width: 38px; height: 38px; }
    .hero-card { grid-template-rows: minmax(36px, 1fr) auto auto; border-radius: 8px; }
    .hero-card .card-name { font-size: 12px; padding: 2px 3px 0; letter-spacing: -.4px; line-height: 1.05; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; text-overflow: ellipsis; }
    .hero-card .health { padding: 2px 3px 4px; gap: 1px; }
    .of-bases .answers { gap: 4px; }
    .base-choice .emblem { height: 34px; }
    .base-choice { letter-spacing: -.3px; }
    .base-dice .die-block { width: 14px; height: 14px; }
  }
  @container stage (max-width: 699px) and (max-height: 660px) {
    .table { gap: 4px; grid-template-rows: 28px 50px minmax(0, 1fr) 48px 128px 62px; }
    .asset { grid-template: minmax(0, auto) minmax(0, 1fr) auto / 34px minmax(0, 1fr); }
    .asset .art { grid-row: 1 / 3; border-radius: 0; }
    .asset .emblem { width: 30px; }
    .asset .wants { grid-column: 2; padding: 1px 2px 0 4px; align-self: end; gap: 1px; }
    .want, .many .want { width: 13px; height: 15px; border-width: 1px; }
    .want .glyph, .many .want .glyph { width: 10px; height: 10px; }
    .small-card .health { display: none; }
    .small-card .mini { height: 20px; }
    .hero-card .card-name, .own h2 { display: none; }
    .hero-card .emblem { width: 30px; height: 30px; }
    .stones { padding: 2px; }
    .tray { min-height: 44px; }
  }
  @container stage (min-width: 1100px) and (max-height: 640px) {
    .asset .print { padding-top: 2px; gap: 0; } /* room for three lines under the words of a coach */
  }
  @container stage (min-width: 1100px) and (max-height: 600px) {
    .gauntlet { display: none; }
    .table { grid-template-rows: 32px minmax(0, 1fr) 160px; }
    .tally { height: 32px; }
    .sector header { height: 40px; }
    .asset .text { -webkit-line-clamp: 2; }
    .hero-card .text { display: none; }
    .small-card .mini { height: 40px; }
    .stones { gap: 3px; padding: 6px; }
  }
`;

export const styles = [common, base, middle, narrow];
