// How an emblem is drawn: one silhouette in three tones, lit from the upper left, with one dark line and a light rim.
// All drawings are ours: an object or a trait of the figure, never a mask or a printed picture.
//
// A figure is a text of lines in a box of 96 by 96:
//   r2 M10 10h20…        a filled shape in tone r2
//   -r3,4 M10 10h20…     a line in tone r3, 4 wide
//   o r2 48 48 20        a disc: middle and radius
//   % …                  the line, and once more mirrored from left to right
//   @ rotate(9) … /      what stands between is transformed
//   & wasp scale(.6)     another figure inside this one
//   # 3                  a number in the corner, for cards that share a figure

/** @type {Record<string, [string, string, string]>} Three tones a hue, from light to dark. */
const HUES = {
  r: ["#f26d76", "#d02f40", "#921a2d"],
  o: ["#ffb067", "#e67a1e", "#9d4a0d"],
  y: ["#ffe388", "#f2c03a", "#b38119"],
  g: ["#8fd96c", "#4da63c", "#2a6623"],
  e: ["#86f0b8", "#22a06b", "#11603e"],
  c: ["#d8f6ff", "#7fd3ee", "#378fb4"],
  b: ["#93c1ff", "#3f7ddc", "#234c98"],
  v: ["#cdb6ff", "#8a58d0", "#533099"],
  p: ["#ffbad4", "#ee5f97", "#ab2a62"],
  n: ["#cb9a60", "#95653a", "#5c3a1e"],
  f: ["#f4d2ae", "#dba97d", "#a9754b"],
  s: ["#e6ecf4", "#aab5c6", "#6a768b"],
  w: ["#ffffff", "#f1eadf", "#c9baa2"],
  k: ["#5d5168", "#352c40", "#17111f"],
};
const MIRROR = "matrix(-1 0 0 1 96 0)";
/** @type {Record<string, [string, number]>} */
const OUTLINE = { rim: ["#fff", 11], line: ["#130e1b", 7] };

/** @param {string} tone */
const paint = (tone) => HUES[tone[0]][Number(tone[1]) - 1];

/**
 * One shape, as itself or as the outline around it.
 * @param {string} text
 * @param {[string, number] | null} around
 */
const shape = (text, around) => {
  const isLine = text.startsWith("-");
  const isDisc = text.startsWith("o ");
  const [tone, ...rest] = text.slice(isLine ? 1 : isDisc ? 2 : 0).split(" ");
  const [colour, width = "0"] = tone.split(",");
  const [x, y, radius] = rest;
  const body = isDisc ? `circle cx='${x}' cy='${y}' r='${radius}'` : `path d='${rest.join(" ")}'`;
  const stroke = around ? [around[0], Number(width) + around[1]] : isLine ? [paint(colour), width] : null;
  const fill = isLine ? "none" : around ? around[0] : paint(colour);
  return `<${body} fill='${fill}'${stroke ? ` stroke='${stroke[0]}' stroke-width='${stroke[1]}'` : ""}/>`;
};

/** @param {string} digit */
const numeral = (digit) => `<text x='76' y='86' font-family='sans-serif' font-size='33' font-weight='700' text-anchor='middle' fill='#fff'>${digit}</text>`;

/**
 * @param {Record<string, string>} figures
 * @param {string} name
 * @param {[string, number] | null} around
 * @returns {string}
 */
const layer = (figures, name, around) => figures[name].trim().split("\n").map((line) => {
  const text = line.trim();
  if (text.startsWith("@ ")) return `<g transform='${text.slice(2)}'>`;
  if (text === "/") return "</g>";
  if (text.startsWith("& ")) {
    const [, other, ...how] = text.split(" ");
    return `<g transform='${how.join(" ")}'>${layer(figures, other, around)}</g>`;
  }
  if (text.startsWith("# ")) return `${shape("o k3 76 74 20", around)}${around ? "" : numeral(text.slice(2))}`;
  if (!text.startsWith("% ")) return shape(text, around);
  const half = shape(text.slice(2), around);
  return `${half}<g transform='${MIRROR}'>${half}</g>`;
}).join("");

/**
 * A figure as a picture that stands on any ground.
 * @param {Record<string, string>} figures
 * @param {string} name
 */
export const draw = (figures, name) =>
  "<svg xmlns='http://www.w3.org/2000/svg' viewBox='-5 -5 106 106' stroke-linecap='round' stroke-linejoin='round'>" +
  `<g opacity='.5'>${layer(figures, name, OUTLINE.rim)}</g>${layer(figures, name, OUTLINE.line)}${layer(figures, name, null)}</svg>`;

/** @type {WeakMap<Record<string, string>, Map<string, string>>} */
const made = new WeakMap();

/**
 * The address of a figure's picture, for an `<img>`.
 * @param {Record<string, string>} figures
 * @param {string} name
 */
export const address = (figures, name) => {
  const known = made.get(figures) ?? new Map();
  made.set(figures, known);
  const found = known.get(name) ?? `data:image/svg+xml,${encodeURIComponent(draw(figures, name))}`;
  known.set(name, found);
  return found;
};
