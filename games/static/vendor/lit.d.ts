// The types of lit.js, from the npm package that `manage.py lint` installs; browsers never load this file.
export { LitElement, css, html, noChange, nothing, render, svg } from "lit";
export { classMap } from "lit/directives/class-map.js";
export { guard } from "lit/directives/guard.js";
export { ifDefined } from "lit/directives/if-defined.js";
export { live } from "lit/directives/live.js";
export { createRef, ref } from "lit/directives/ref.js";
export { repeat } from "lit/directives/repeat.js";
export { styleMap } from "lit/directives/style-map.js";
export { when } from "lit/directives/when.js";
