// "It is your turn", told by the browser while nobody looks at the page.

import { choose, isOn } from "./settings.js";

/** @type {Notification | undefined} */
let notice;

/** The reader wants to be told: ask the browser, and do not pretend where it says no. */
export const allowNotices = async () => {
  const answer = "Notification" in globalThis ? await Notification.requestPermission() : "denied";
  if (answer !== "granted") choose("notify", "off");
  return answer === "granted";
};

/** @type {(title: string, text: string, tag: string) => void} */
export const notifyTurn = (title, text, tag) => {
  if (!document.hidden || !isOn("notify") || !("Notification" in globalThis) || Notification.permission !== "granted") return;
  notice?.close();
  try {
    notice = new Notification(title, { body: text, tag });
    notice.onclick = () => { window.focus(); notice?.close(); };
  } catch { /* a browser that only lets a service worker do this */ }
};

document.addEventListener("visibilitychange", () => { if (!document.hidden) notice?.close(); });
