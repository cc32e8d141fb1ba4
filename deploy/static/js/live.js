// One socket for the whole page. An element with data-live="topic …" subscribes to its topics; every frame
// that arrives becomes an event on the body, so that htmx and scripts can act on it: live:notices, live:club.
// The connection itself tells live:online, live:offline and live:resync (something may have been missed); where an
// element asks for a heartbeat (data-heartbeat) also live:lag, and a silent loss is noticed as well.

const SHORTEST = 500;
const LONGEST = 20_000;
const OFFLINE_AFTER = 3_000;
// A page that listens later than this after it arrived may have missed what happened since it was made.
const LATE = 1_000;
// Together below three seconds: that is how long a loss may go unnoticed.
const PING_EVERY = 1_000;
const PONG_WITHIN = 1_700;
// The server forgets who is here after two and a half minutes.
const PRESENCE_EVERY = 60_000;
// Who leaves a page for the next one of the site is not away: only a page that stays hidden says so.
const AWAY_AFTER = 2_000;
// On a dead line a socket would try to connect for minutes.
const CONNECT_WITHIN = 4_000;

const wanted = new Set(["site"]);
/** @type {WebSocket | undefined} */
let socket;
let pause = SHORTEST;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let offlineTimer;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let connectTimer;
let wasOpen = false;
/** Topics that the server has not answered yet: until then a change may be missed. */
const unanswered = new Set();
let pinged = 0; // when the last ping was sent that has no answer yet
let ping = 0;

/** @type {(event: string, detail?: unknown) => unknown} */
const dispatch = (event, detail) => document.body.dispatchEvent(new CustomEvent(`live:${event}`, { detail, bubbles: true }));

/** @param {object} message */
const transmit = (message) => {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
};

/** Whether a message can be sent now. */
export const isOpen = () => socket?.readyState === WebSocket.OPEN;

/** Whether the connection is known to be lost. */
export const isLost = () => document.documentElement.dataset.live === "offline" || !navigator.onLine;

/** @param {string} topic */
export const subscribe = (topic) => {
  if (wanted.has(topic)) return;
  wanted.add(topic);
  transmit({ subscribe: topic });
};

/** @param {string} topic */
export const unsubscribe = (topic) => {
  if (wanted.delete(topic)) transmit({ unsubscribe: topic });
};

/** @type {(topic: string, message: object) => void} */
export const send = (topic, message) => transmit({ to: topic, message });

/** @type {(selector: string) => NodeListOf<HTMLElement>} */
const all = (selector) => document.querySelectorAll(selector);

/** @param {"online" | "offline"} state */
const show = (state) => {
  clearTimeout(offlineTimer);
  offlineTimer = undefined;
  if (document.documentElement.dataset.live === state) return;
  document.documentElement.dataset.live = state;
  for (const banner of all("[data-offline]")) banner.hidden = state === "online";
  dispatch(state);
};

/** Friends see who is here: somebody who looks at a page of the site. */
const reportPresence = () => { if (wanted.has("user")) send("user", { here: !document.hidden }); };
setInterval(() => { if (!document.hidden) reportPresence(); }, PRESENCE_EVERY);

/** Every topic is answered: from now on nothing is missed. */
const listening = () => {
  show("online");
  const [page] = performance.getEntriesByType("navigation");
  const arrived = page instanceof PerformanceNavigationTiming ? page.responseStart : 0;
  if (wasOpen || performance.now() - arrived > LATE) dispatch("resync");
  wasOpen = true;
  beat();
};

const connect = () => {
  clearTimeout(connectTimer);
  const opened = new WebSocket(new URL("/ws/", location.href.replace(/^http/, "ws")));
  socket = opened;
  pinged = 0;
  setTimeout(() => { if (opened.readyState === WebSocket.CONNECTING) opened.close(); }, CONNECT_WITHIN);
  opened.addEventListener("open", () => {
    if (socket !== opened) { opened.close(); return; }
    pause = SHORTEST;
    unanswered.clear();
    for (const topic of wanted) {
      unanswered.add(topic);
      transmit({ subscribe: topic });
    }
    reportPresence();
  });
  opened.addEventListener("message", ({ data }) => {
    if (socket !== opened) return;
    const frame = JSON.parse(data);
    const answered = frame.subscribed ?? (frame.error && frame.topic);
    if (answered && unanswered.delete(answered) && !unanswered.size) listening();
    if (frame.event === "pong") {
      if (frame.ping === ping && pinged) dispatch("lag", { time: Math.round(performance.now() - pinged) });
      pinged = 0;
    } else if (frame.event) dispatch(frame.event, frame);
    else if (frame.error === "garbled" && pinged) pinged = 0; // a server that knows no heartbeat is alive as well
    else if (frame.error) console.warn(`live: ${frame.error}: ${frame.detail}`, frame.topic ?? "");
  });
  opened.addEventListener("close", () => {
    if (socket !== opened) return;
    offlineTimer ??= setTimeout(() => show("offline"), OFFLINE_AFTER);
    // Spread out: after a restart of the server every page comes back at once.
    connectTimer = setTimeout(connect, pause * (0.5 + Math.random()));
    pause = Math.min(pause * 2, LONGEST);
  });
};

/** Give up a socket that may be dead, and try again now. */
export const reconnect = () => {
  const old = socket;
  pause = SHORTEST;
  connect();
  old?.close();
};

/** Ask for a sign of life. A page that nobody looks at does not: its timers are slowed down by the browser. */
const beat = () => {
  if (document.hidden || !isOpen() || !document.querySelector("[data-heartbeat]")) return;
  if (pinged) {
    if (performance.now() - pinged < PONG_WITHIN) return;
    show("offline");
    reconnect();
    return;
  }
  ping += 1;
  pinged = performance.now();
  transmit({ ping });
  setTimeout(() => { if (pinged) beat(); }, PONG_WITHIN + 10); // a timer may be a little early
};
setInterval(beat, PING_EVERY);

addEventListener("offline", () => { show("offline"); socket?.close(); });
addEventListener("online", reconnect);
/** @type {ReturnType<typeof setTimeout> | undefined} */
let awayTimer;
document.addEventListener("visibilitychange", () => {
  clearTimeout(awayTimer);
  awayTimer = setTimeout(reportPresence, document.hidden ? AWAY_AFTER : 0);
  pinged = 0;
  beat();
});

/** @param {Element} root */
const collect = (root) => {
  for (const element of [root, ...root.querySelectorAll("[data-live]")]) {
    for (const topic of (element.getAttribute("data-live") ?? "").split(/\s+/)) if (topic) subscribe(topic);
  }
};

document.body.addEventListener("live:announcement", (event) => {
  const { detail } = /** @type {CustomEvent<{ text: string, ends: string }>} */ (event);
  const left = new Date(detail.ends).getTime() - Date.now();
  for (const banner of all("[data-announcement]")) {
    banner.textContent = detail.text;
    banner.hidden = left <= 0;
    clearTimeout(Number(banner.dataset.timer));
    banner.dataset.timer = String(setTimeout(() => { banner.hidden = true; }, Math.min(left, 2 ** 31 - 1)));
  }
});
document.body.addEventListener("htmx:load", ({ target }) => { if (target instanceof Element) collect(target); });
// A page kept for the back button has lost its socket: the close event brought it back, the content is old.
addEventListener("pageshow", ({ persisted }) => { if (persisted) dispatch("resync"); });

collect(document.body);
connect();
