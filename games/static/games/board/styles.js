// What the boards of all games look alike in: panels, mats, buttons, cards, seats. Widths: wide from 1100, narrow below 700.

import { css } from "../../vendor/lit.js";

export const common = css`
  :host { display: block; height: 100%; font: 400 14px/1.3 var(--font); color: var(--ink); -webkit-font-smoothing: antialiased; }
  *, *::before, *::after { box-sizing: border-box; margin: 0; }
  button { font: inherit; color: inherit; text-align: inherit; background: none; border: 0; padding: 0; cursor: pointer; }
  button[aria-disabled="true"] { cursor: help; }
  ul { list-style: none; padding: 0; }
  h2, h3 { font: inherit; }
  img { display: block; }
  :focus-visible { outline: 3px solid var(--space); outline-offset: 2px; }
  h2:focus-visible { outline: none; }
  .table { height: 47rem; }
  @container stage (min-height: 1px) { .table { height: 100%; } }
  .quiet, .visually-hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
  .panel { background: var(--surface); border: 1px solid var(--line); border-radius: 14px; box-shadow: 0 1px 0 light-dark(#fff, rgb(255 255 255 / .05)) inset, 0 3px 8px var(--shade); min-width: 0; min-height: 0; }
  .mat { background: var(--mat, var(--sunken)); border: 1px solid var(--mat-edge, var(--line)); border-radius: 16px; box-shadow: inset 0 2px 6px var(--shade); min-width: 0; min-height: 0; }
  .btn { min-height: 44px; min-width: 44px; padding: 0 18px; border-radius: 12px; display: inline-flex; align-items: center; justify-content: center; gap: 8px; font-weight: 700; font-size: 15px; line-height: 1.1; text-align: center; background: var(--surface); border: 1px solid var(--line-strong); box-shadow: 0 2px 0 var(--edge); }
  .btn.go { background: var(--button); color: var(--on-button); border-color: transparent; box-shadow: 0 3px 0 light-dark(#120d20, #b3a9c9), 0 6px 14px var(--shade); }
  .btn:hover { background: var(--sunken); }
  .btn.go:hover { background: var(--button-hover); }
  .btn[aria-disabled="true"] { color: var(--ink-soft); background: var(--sunken); border-style: dashed; box-shadow: none; }
  .asks { box-shadow: 0 0 0 2px var(--time), 0 4px 14px var(--shade); }
  .emblem { filter: drop-shadow(0 2px 2px rgb(0 0 0 / .35)); pointer-events: none; }
  .cardbg { position: relative; overflow: hidden; border-radius: 9px; color: #fff; background: linear-gradient(160deg, var(--k1, #3d374d), var(--k2, #14111b) 70%); box-shadow: inset 0 0 0 1.5px rgb(255 255 255 / .22), 0 2px 0 rgb(0 0 0 / .45), 0 5px 9px var(--drop, var(--shade)); }
  .cardbg::before { content: ""; position: absolute; inset: 0; opacity: .09; pointer-events: none; background: repeating-conic-gradient(from 0deg at 50% 45%, #fff 0 8deg, transparent 0 20deg); }
  .p1::before { background: repeating-radial-gradient(circle at 50% 45%, #fff 0 2px, transparent 2px 13px); }
  .p2::before { background: radial-gradient(#fff 2.5px, transparent 3px) 0 0 / 18px 18px, radial-gradient(#fff 1.5px, transparent 2px) 9px 9px / 18px 18px; }
  .p3::before { background: repeating-linear-gradient(60deg, #fff 0 1.5px, transparent 1.5px 14px), repeating-linear-gradient(-60deg, #fff 0 1.5px, transparent 1.5px 14px); }
  .p4::before { background: repeating-linear-gradient(115deg, #fff 0 6px, transparent 6px 17px); }
  .k-yellow { --k1: #8a6a12; --k2: #241b04; } .k-blue { --k1: #2c57a8; --k2: #0c1632; } .k-purple { --k1: #6640a8; --k2: #1b1033; }
  .k-red { --k1: #98283b; --k2: #2b0a12; } .k-orange { --k1: #a2561a; --k2: #2b1505; } .k-green { --k1: #1d6b45; --k2: #071c12; } .k-grey { --k1: #3d374d; --k2: #14111b; }
  .back { position: relative; overflow: hidden; border-radius: 9px; color: #fff; background: repeating-linear-gradient(45deg, rgb(255 255 255 / .1) 0 1.5px, transparent 1.5px 9px), repeating-linear-gradient(-45deg, rgb(255 255 255 / .1) 0 1.5px, transparent 1.5px 9px), linear-gradient(160deg, #3a3350, #15111f); box-shadow: inset 0 0 0 2px rgb(255 255 255 / .16), 0 2px 0 rgb(0 0 0 / .45), 0 5px 9px var(--drop, var(--shade)); }
  .av { width: 28px; height: 28px; flex: none; border-radius: 9px; display: grid; place-items: center; font: 800 13px/1 var(--font); color: #fff; background: var(--sc); box-shadow: inset 0 -3px 0 rgb(0 0 0 / .25); }
  .s0 { --sc: var(--seat-0); } .s1 { --sc: var(--seat-1); } .s2 { --sc: var(--seat-2); } .s3 { --sc: var(--seat-3); } .s4 { --sc: var(--seat-4); } .s5 { --sc: var(--seat-5); }
  .av.s1 { border-radius: 50%; } .av.s2 { border-radius: 9px 9px 9px 0; } .av.s3 { border-radius: 0 9px 9px 9px; } .av.s4 { border-radius: 50% 50% 9px 9px; } .av.s5 { border-radius: 9px 50% 50% 9px; }
  .is-away .av { filter: grayscale(.8); opacity: .75; }
  .sky { position: fixed; inset: 0; pointer-events: none; z-index: 9; overflow: hidden; }
  .who { min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; font-weight: 700; }
`;
