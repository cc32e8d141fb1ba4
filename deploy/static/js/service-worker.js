// The site's service worker. It shows alerts, and stores a few pages for the time without a connection: the rules, and
// a page with the reader's next dates. No other page is ever stored, least of all a match: what is shown of it is always
// fetched. `deploy/phone.py` writes SITE before it loads this.

const { SITE } = self;
// Files are the same for everybody; pages belong to one log-in, whose mark is part of the name of their store.
const FILES = `files ${SITE.version}`;
const PAGES = "pages ";
const FRESH_FOR = 10 * 60 * 1000;

// Windows that show a stored page: their files come from the store as well. Other windows are left alone.
const offlineWindows = new Set();

// Stores are opened, filled and deleted one after the other: nothing is written into one that was just deleted.
let turn = Promise.resolve();
const inTurn = (act) => {
  turn = turn.then(act, act);
  return turn;
};

const storeOfPages = async () => (await caches.keys()).find((name) => name.startsWith(PAGES));

const forgetPages = (kept = "") => inTurn(async () => {
  for (const name of await caches.keys()) {
    if (name.startsWith(PAGES) && name !== kept) await caches.delete(name);
  }
});

const stored = async (path) => {
  const name = await storeOfPages();
  return name && (await caches.open(name)).match(path);
};

/** Pages are for this reader from now on; whoever read before leaves nothing behind. */
const setReader = async (mark) => {
  await forgetPages(PAGES + mark);
  await inTurn(() => caches.open(PAGES + mark));
};

const markOf = (response) => (response.ok && !response.redirected ? response.headers.get("X-Reader") : null);

/** Store a page, if its reader is still the one whose pages are stored. */
const keep = async (path, response) => {
  const name = PAGES + markOf(response);
  const copy = response.clone();
  await inTurn(async () => {
    if (await caches.has(name)) await (await caches.open(name)).put(path, copy);
  });
};

const FOUND = {
  page: /\b(?:src|href|data-words|data-pieces)="([^"#]+)"/g,
  js: /\b(?:from|import)\s*\(?\s*"([^"]+)"/g,
  css: /\burl\(\s*["']?([^"')]+)/g,
};

/** Store the files that a text names, and those that they name in turn. */
const keepFiles = async (text, kind, base) => {
  for (const [, name] of text.matchAll(FOUND[kind] ?? /$^/g)) {
    const url = new URL(name, base);
    if (url.origin !== location.origin || !SITE.files.some((start) => url.pathname.startsWith(start))) continue;
    const files = await caches.open(FILES);
    if (await files.match(url.href)) continue;
    const response = await fetch(url.href);
    if (!response.ok) continue;
    await files.put(url.href, response.clone());
    await keepFiles(await response.text(), url.pathname.split(".").pop(), url.href);
  }
};

const fetchPage = async (path) => {
  const response = await fetch(path, { credentials: "same-origin", headers: { Accept: "text/html" } });
  const mark = markOf(response);
  if (!mark) return null;
  await keep(path, response);
  await keepFiles(await response.text(), "page", location.origin);
  return mark;
};

/** Store what is shown without a connection, for whoever is logged in now. */
const renew = async () => {
  const first = await fetch(SITE.offline, { credentials: "same-origin", headers: { Accept: "text/html" } });
  const mark = markOf(first);
  if (!mark) return;
  await setReader(mark);
  await keep(SITE.offline, first);
  await keepFiles(await first.text(), "page", location.origin);
  for (const path of SITE.rules) {
    if (!(await stored(path)) && (await fetchPage(path)) !== mark) return;
  }
};

/** After a page from the network: are the stored ones for the same reader, and fresh? */
const follow = async (mark) => {
  if ((await storeOfPages()) !== PAGES + mark) await forgetPages();
  const page = await stored(SITE.offline);
  if (page && Date.now() - Date.parse(page.headers.get("Date") ?? "") < FRESH_FOR) return;
  await renew();
};

const quietly = (work) => work.catch(() => {});

const fromNetwork = async (event) => {
  try {
    const response = (await event.preloadResponse) ?? (await fetch(event.request));
    const mark = response.headers.get("X-Reader");
    if (mark) event.waitUntil(quietly(follow(mark)));
    return response;
  } catch (error) {
    const page = await stored(SITE.offline);
    if (!page) throw error;
    offlineWindows.add(event.resultingClientId);
    return page;
  }
};

const storedFirst = async (event, path) => {
  const page = await stored(path);
  if (!page) return fromNetwork(event);
  offlineWindows.add(event.resultingClientId);
  const refresh = async () => {
    const response = (await event.preloadResponse) ?? (await fetch(path));
    const mark = markOf(response);
    if (!mark) return;
    await follow(mark);
    await keep(path, response);
    await keepFiles(await response.text(), "page", location.origin);
  };
  event.waitUntil(quietly(refresh()));
  return page;
};

const storedFile = async (request) => (await (await caches.open(FILES)).match(request.url)) ?? fetch(request);

/** Nothing of whoever logs out stays: no page, no subscription to their alerts. */
const leave = async () => {
  const subscription = await self.registration.pushManager?.getSubscription();
  await subscription?.unsubscribe();
};

self.addEventListener("install", () => self.skipWaiting());

self.addEventListener("activate", (event) => {
  const begin = async () => {
    for (const name of await caches.keys()) {
      if (name !== FILES) await caches.delete(name);
    }
    // The browser asks for the page while the worker starts.
    await self.registration.navigationPreload?.enable();
    await self.clients.claim();
  };
  event.waitUntil(begin());
});

// A page says that it has been open for a while: now is the time to store what is missing.
self.addEventListener("message", (event) => {
  const fill = async () => {
    if (!(await stored(SITE.offline))) await renew();
  };
  if (event.data === "fill") event.waitUntil(quietly(fill()));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname, search } = new URL(request.url);
  if (origin !== location.origin) return;
  if (request.method === "POST" && SITE.changes.includes(pathname)) {
    event.waitUntil(forgetPages());
    if (pathname === SITE.logOut) event.waitUntil(quietly(leave()));
  }
  if (request.method !== "GET") return;
  if (request.mode === "navigate") {
    const isRules = !search && SITE.rules.includes(pathname);
    event.respondWith(isRules ? storedFirst(event, pathname) : fromNetwork(event));
  } else if (offlineWindows.has(event.clientId) && SITE.files.some((start) => pathname.startsWith(start))) {
    event.respondWith(storedFile(request));
  }
});

const read = (data) => {
  try {
    return data?.json() ?? {};
  } catch {
    return {};
  }
};

self.addEventListener("push", (event) => {
  const { words = "", path = SITE.notices, tag = "gauntlet", language = "" } = read(event.data);
  event.waitUntil(self.registration.showNotification("Gauntlet", {
    body: words,
    tag,
    renotify: true,
    lang: language,
    icon: SITE.icon,
    badge: SITE.badge,
    data: { path },
  }));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const url = new URL(event.notification.data?.path ?? SITE.notices, location.origin);
  if (url.origin !== location.origin) return;
  const open = async () => {
    const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
    const there = windows.find((each) => new URL(each.url).pathname === url.pathname);
    return there ? there.focus() : self.clients.openWindow(url.href);
  };
  event.waitUntil(open());
});
