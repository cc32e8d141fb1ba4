// The app on the phone: the service worker, and alerts on this device. Every page works without them.

const WORKER = "/service-worker.js";
// What this browser remembers of its alerts: for which member and which log-in they are on.
const REMEMBERED = "alerts";
// The page itself comes first.
const PATIENCE = 5000;

const able = "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;
const marks = document.querySelector("meta[name=alerts-mark]")?.getAttribute("content") ?? "";
const member = marks.split(".")[0];

const register = async () => {
  await navigator.serviceWorker.register(WORKER, { updateViaCache: "none" });
  return navigator.serviceWorker.ready;
};

const bytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (char) => char.charCodeAt(0));
const isSame = (one, other) => one?.length === other.length && one.every((byte, index) => byte === other[index]);

/** This browser's address and keys for alerts, signed by the site's key of today. */
const subscribe = async (key) => {
  const { pushManager } = await register();
  const former = await pushManager.getSubscription();
  if (former) {
    const known = former.options.applicationServerKey;
    if (known && isSame(new Uint8Array(known), bytes(key))) return former;
    await former.unsubscribe();
  }
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes(key) });
};

const fields = (subscription) => {
  const { endpoint, keys } = subscription.toJSON();
  return { endpoint, p256dh: keys.p256dh, auth: keys.auth };
};

/** The same member has logged in again, or the log-in has a new key: the site hears where their alerts go. */
const renew = async () => {
  const before = localStorage.getItem(REMEMBERED) ?? "";
  if (!before || !marks || before === marks) return;
  if (before.split(".")[0] !== member || Notification.permission !== "granted") {
    // It was somebody else's browser before: nothing of theirs shows here any more.
    localStorage.removeItem(REMEMBERED);
    const { pushManager } = await register();
    await (await pushManager.getSubscription())?.unsubscribe();
    return;
  }
  const { key } = await (await fetch("/api/v1/me/push-key/")).json();
  const token = document.querySelector("[name=csrfmiddlewaretoken]")?.value ?? "";
  const body = new URLSearchParams({ ...fields(await subscribe(key)), renew: "yes", csrfmiddlewaretoken: token });
  const answer = await fetch("/settings/devices/", { method: "POST", body });
  if (answer.ok) localStorage.setItem(REMEMBERED, marks);
};

const settings = document.querySelector("[data-alerts]");

const show = (name) => {
  for (const part of settings.querySelectorAll("[data-alerts-when]")) part.hidden = !part.dataset.alertsWhen.split(" ").includes(name);
};

/** What the page of settings offers depends on what this browser can do, and has. */
const offer = async () => {
  if (!able) return show("unable");
  if (Notification.permission === "denied") return show("denied");
  const worker = await navigator.serviceWorker.getRegistration();
  const subscription = await worker?.pushManager.getSubscription();
  return show(settings.dataset.alerts === "on" && subscription ? "on" : "off");
};

if (settings) {
  offer();
  settings.addEventListener("submit", async (event) => {
    const form = event.target;
    if (form.matches("[data-alerts-on]")) {
      event.preventDefault();
      // The browser asks the person; only then is there an address to send to.
      if ((await Notification.requestPermission()) !== "granted") return show("denied");
      try {
        const known = fields(await subscribe(form.dataset.alertsOn));
        for (const [name, value] of Object.entries(known)) form.elements[name].value = value;
      } catch {
        return show("failed");
      }
      localStorage.setItem(REMEMBERED, marks);
      form.submit();
    } else if (form.matches("[data-alerts-off]")) {
      event.preventDefault();
      localStorage.removeItem(REMEMBERED);
      const worker = await navigator.serviceWorker?.getRegistration();
      await (await worker?.pushManager.getSubscription())?.unsubscribe();
      form.submit();
    }
    return undefined;
  });
}

// Who logs out is not asked for again in this browser.
document.addEventListener("submit", ({ target }) => {
  const { pathname } = new URL(target.getAttribute("action") || location.href, location.href);
  if (pathname === "/accounts/logout/") localStorage.removeItem(REMEMBERED);
});

if ("serviceWorker" in navigator) {
  setTimeout(async () => {
    try {
      const { active } = await register();
      active?.postMessage("fill");
      if (able) await renew();
    } catch {
      // No connection, or a browser that stores nothing: the next page tries again.
    }
  }, PATIENCE);
}
