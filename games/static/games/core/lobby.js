// An open lobby counts as watching: the exhibition matches go on.

import { send } from "../../js/live.js";

const look = () => { if (!document.hidden) send("lobby", { here: true }); };
document.body.addEventListener("live:online", look);
setInterval(look, 20_000);
