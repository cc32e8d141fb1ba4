// The page of a game's rules: its pieces are drawn, and the card that the address names is marked by the stylesheet.

import { drawPieces } from "./rules-panel.js";

await drawPieces(document);
