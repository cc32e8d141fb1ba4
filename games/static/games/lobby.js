// Whoever has the lobby open watches: the house's own matches go on for them.

import { send } from "../live.js";

const look = () => { if (!document.hidden) send("lobby", { here: true }); };
document.body.addEventListener("live:online", look);
setInterval(look, 20_000);
