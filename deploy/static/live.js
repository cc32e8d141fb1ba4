// One socket for the whole page. An element with data-live="topic …" subscribes to its topics; every frame
// that arrives becomes an event on the body, so that htmx and scripts can act on it: live:notices, live:club.
// The connection itself tells live:online, live:offline and live:resync (something may have been missed).

const SHORTEST = 500;
const LONGEST = 20_000;
const OFFLINE_AFTER = 3_000;
// A page that took longer than this to open its socket may have missed what happened since it was made.
const LATE = 1_500;

const wanted = new Set(["site"]);
let socket;
let pause = SHORTEST;
let offlineTimer;
let wasOpen = false;

const tell = (event, detail) => document.body.dispatchEvent(new CustomEvent(`live:${event}`, { detail, bubbles: true }));

const transmit = (message) => {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
};

/** Whether what is sent now will be heard. */
export const isOpen = () => socket?.readyState === WebSocket.OPEN;

export const subscribe = (topic) => {
  if (wanted.has(topic)) return;
  wanted.add(topic);
  transmit({ subscribe: topic });
};

export const unsubscribe = (topic) => {
  if (wanted.delete(topic)) transmit({ unsubscribe: topic });
};

export const send = (topic, message) => transmit({ to: topic, message });

const show = (state) => {
  clearTimeout(offlineTimer);
  offlineTimer = undefined;
  if (document.documentElement.dataset.live === state) return;
  document.documentElement.dataset.live = state;
  for (const banner of document.querySelectorAll("[data-offline]")) banner.hidden = state === "online";
  tell(state);
};

const connect = () => {
  socket = new WebSocket(new URL("/ws/", location.href.replace(/^http/, "ws")));
  socket.addEventListener("open", () => {
    pause = SHORTEST;
    for (const topic of wanted) transmit({ subscribe: topic });
    show("online");
    if (wasOpen || performance.now() > LATE) tell("resync");
    wasOpen = true;
  });
  socket.addEventListener("message", ({ data }) => {
    const frame = JSON.parse(data);
    if (frame.event) tell(frame.event, frame);
    else if (frame.error) console.warn(`live: ${frame.error}: ${frame.detail}`, frame.topic ?? "");
  });
  socket.addEventListener("close", () => {
    offlineTimer ??= setTimeout(() => show("offline"), OFFLINE_AFTER);
    // Spread out: after a restart of the server every page comes back at once.
    setTimeout(connect, pause * (0.5 + Math.random()));
    pause = Math.min(pause * 2, LONGEST);
  });
};

const collect = (root) => {
  for (const element of [root, ...root.querySelectorAll("[data-live]")]) {
    for (const topic of (element.dataset?.live ?? "").split(/\s+/)) if (topic) subscribe(topic);
  }
};

document.body.addEventListener("live:announcement", ({ detail }) => {
  const left = new Date(detail.ends) - Date.now();
  for (const banner of document.querySelectorAll("[data-announcement]")) {
    banner.textContent = detail.text;
    banner.hidden = left <= 0;
    clearTimeout(Number(banner.dataset.timer));
    banner.dataset.timer = setTimeout(() => { banner.hidden = true; }, Math.min(left, 2 ** 31 - 1));
  }
});
document.body.addEventListener("htmx:load", ({ target }) => collect(target));
// A page kept for the back button has lost its socket: the close event brought it back, the content is old.
addEventListener("pageshow", ({ persisted }) => { if (persisted) tell("resync"); });

collect(document.body);
connect();
