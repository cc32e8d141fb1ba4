// Comforts of the league pages: tapping an order, sorting a list, typing a whole evening. All of it works without.

const withScript = (root) => {
  for (const element of root.querySelectorAll("[data-with-script]")) element.hidden = false;
};

// In a correction the cursor goes on to the reason. Not for keys: whoever moves with them has the next field before them.
const goOn = (box, event) => {
  if (event.detail) box.closest("form")?.querySelector("[name=why]")?.focus();
};

// Who came first, second, third: one tap each. The number fields below are what is sent.
const makeTapping = (box) => {
  const rows = [...box.querySelectorAll("[data-seat]")].filter((row) => row.querySelector("[data-tap]"));
  const tie = box.querySelector("[data-tie]");
  const order = [];
  const field = (row) => row.querySelector("[data-rank]");

  const show = () => {
    for (const row of rows) {
      const tap = row.querySelector("[data-tap]");
      const rank = field(row).value;
      tap.classList.toggle("is-placed", rank !== "");
      tap.querySelector(".tap-rank").textContent = rank;
      tap.querySelector("[data-said]").textContent = rank ? `, ${box.dataset.place} ${rank}` : "";
    }
  };
  const press = (pressed) => tie.setAttribute("aria-pressed", String(pressed));
  const rerank = () => {
    let last = 0;
    order.forEach((each, at) => {
      last = each.tied && at ? last : at + 1;
      field(each.row).value = last;
    });
    for (const row of rows) if (!order.some((each) => each.row === row)) field(row).value = "";
    show();
  };

  const tapped = new Set(); // those who were put in order by hand, where everybody had a place from the start
  const moveUp = (row) => {
    const own = order.findIndex((each) => each.row === row);
    const [moved] = order.splice(own, 1);
    if (own < order.length && !moved.tied) order[own].tied = false; // who was tied with them now stands first of the rest
    if (tapped.delete(row)) order.splice(tapped.size, 0, { row, tied: false });
    else {
      moved.tied = tie.getAttribute("aria-pressed") === "true" && tapped.size > 0;
      order.splice(tapped.size, 0, moved);
      tapped.add(row);
    }
    // The first of those behind is not tied with whoever was tapped last.
    if (tapped.size < order.length) order[tapped.size].tied = false;
  };

  for (const row of rows.filter((one) => field(one).value).sort((a, b) => field(a).value - field(b).value)) {
    const before = order.at(-1);
    order.push({ row, tied: Boolean(before) && field(before.row).value === field(row).value });
  }
  const filled = order.length === rows.length ? order.map((each) => ({ ...each })) : [];
  for (const row of rows) {
    const tap = row.querySelector("[data-tap]");
    tap.hidden = false;
    row.querySelector(".ranking-name").hidden = true;
    field(row).type = "hidden";
    tap.addEventListener("click", (event) => {
      const at = order.findIndex((each) => each.row === row);
      if (filled.length) moveUp(row);
      else if (at >= 0) order.splice(at, 1);
      else order.push({ row, tied: tie.getAttribute("aria-pressed") === "true" });
      press(false);
      rerank();
      // When the last place follows from the others, the reason is all that is left to give.
      if (filled.length && tapped.size >= rows.length - 1) goOn(box, event);
    });
  }
  // Enter goes from score to score, and sends the last one.
  const scores = [...box.querySelectorAll(".score-input")];
  for (const [at, score] of scores.entries()) {
    score.addEventListener("keydown", (event) => {
      const next = scores.slice(at + 1).find((one) => !one.value);
      if (event.key !== "Enter" || !score.value || !next) return;
      event.preventDefault();
      next.focus();
    });
  }
  tie.addEventListener("click", () => press(tie.getAttribute("aria-pressed") !== "true"));
  box.querySelector("[data-clear]").addEventListener("click", () => {
    order.splice(0, order.length, ...filled.map((each) => ({ ...each })));
    tapped.clear();
    press(false);
    rerank();
  });
  show();
};

// An order to drag by its grip, or to move with the arrows; saved with the form's own button.
const makeSortable = (list) => {
  list.addEventListener("click", (event) => {
    const button = event.target.closest("[data-up], [data-down]");
    if (!button) return;
    event.preventDefault();
    const row = button.closest("li");
    if (button.matches("[data-up]")) row.previousElementSibling?.before(row);
    else row.nextElementSibling?.after(row);
    button.focus();
  });
  for (const grip of list.querySelectorAll("[data-grip]")) {
    grip.hidden = false;
    const row = grip.closest("li");
    grip.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      grip.setPointerCapture(event.pointerId);
      row.classList.add("is-dragged");
    });
    grip.addEventListener("pointermove", (event) => {
      if (!grip.hasPointerCapture(event.pointerId)) return;
      const middle = (one) => { const box = one.getBoundingClientRect(); return box.top + box.height / 2; };
      const { previousElementSibling: above, nextElementSibling: below } = row;
      if (above && event.clientY < middle(above)) above.before(row);
      else if (below && event.clientY > middle(below)) below.after(row);
    });
    grip.addEventListener("lostpointercapture", () => row.classList.remove("is-dragged"));
  }
};

// A digit in the field of a place or of games won is all there is to type: go on to the next player and table.
const makeKeys = (form) => {
  form.addEventListener("input", ({ target, data }) => {
    if (!target.matches("[data-rank], [data-games]") || !/^[0-9]$/.test(data ?? "")) return;
    const fields = [...form.querySelectorAll("[data-rank], [data-games]")];
    fields[fields.indexOf(target) + 1]?.focus();
  });
  (form.querySelector(".is-wrong input") ?? form.querySelector("li input"))?.focus();
};

const makeFinder = (field) => {
  const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLocaleLowerCase();
  const find = () => {
    for (const row of document.querySelectorAll(`${field.dataset.find} > [data-name]`)) {
      row.hidden = !plain(row.dataset.name).includes(plain(field.value));
    }
  };
  field.addEventListener("input", find);
  // The list comes anew with every switch that is pressed.
  document.body.addEventListener("htmx:afterSwap", find);
};

// Two people of a draw change places: one is dragged onto the other. Tapping one and then the other does the same.
const makeExchange = (box) => {
  let dragged = null;
  const personAt = (event) => event.target.closest?.("[data-person]");
  // Who is chosen is in the address, and stays so when the page brings itself up to date; the answer to an exchange is newer.
  let sent = null;
  box.addEventListener("htmx:beforeRequest", ({ detail }) => { if (detail.requestConfig.verb === "post") sent = detail.xhr; });
  box.addEventListener("htmx:configRequest", (event) => {
    const { elt, verb } = event.detail;
    if (elt !== box || verb !== "get") return;
    if (sent && sent.readyState !== XMLHttpRequest.DONE) event.preventDefault();
    else event.detail.path = location.pathname + location.search;
  });
  box.addEventListener("dragstart", (event) => {
    dragged = personAt(event)?.dataset.person ?? null;
    if (dragged) event.dataTransfer.setData("text/plain", dragged);
  });
  box.addEventListener("dragover", (event) => {
    const person = personAt(event);
    for (const each of box.querySelectorAll(".is-target")) if (each !== person) each.classList.remove("is-target");
    if (!dragged || !person || person.dataset.person === dragged) return;
    event.preventDefault();
    person.classList.add("is-target");
  });
  box.addEventListener("drop", (event) => {
    const person = personAt(event);
    if (!dragged || !person || person.dataset.person === dragged) return;
    event.preventDefault();
    const [one, other] = [dragged, person.dataset.person];
    dragged = null;
    htmx.ajax("POST", location.pathname, {
      target: "#hand", select: "#hand > *", swap: "innerHTML",
      values: { one, other, csrfmiddlewaretoken: document.querySelector("[name=csrfmiddlewaretoken]").value },
    });
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") box.querySelector("[data-cancel]")?.click();
  });
};

// Whoever opens a form to add somebody wants to type.
for (const box of document.querySelectorAll("details.add")) {
  box.addEventListener("toggle", () => box.open && box.querySelector("textarea, input:not([type=hidden]), select")?.focus());
}

// The reason of every place at once; pressed again, none.
document.addEventListener("click", (event) => {
  const rows = event.target.closest?.("[data-open-all]")?.closest("section").querySelectorAll("details");
  if (!rows) return;
  const open = ![...rows].every((row) => row.open);
  for (const row of rows) row.open = open;
});
document.body.addEventListener("htmx:afterSwap", () => withScript(document));

// How long an arena goes on. When its time is up the page asks what has changed.
const countDown = () => {
  for (const timer of document.querySelectorAll("[data-countdown]")) {
    const left = Math.max(0, Math.ceil((Date.parse(timer.dataset.countdown) - Date.now()) / 1000));
    const parts = [Math.floor(left / 3600), Math.floor(left / 60) % 60, left % 60];
    timer.textContent = parts.map((part, at) => (at ? String(part).padStart(2, "0") : part)).join(":");
    if (left || timer.dataset.over) continue;
    timer.dataset.over = "yes";
    document.body.dispatchEvent(new CustomEvent("live:season"));
  }
};
countDown();
setInterval(countDown, 1000);
document.body.addEventListener("htmx:afterSwap", countDown);

// On a phone a bracket begins with the round that is played; a part that reloads itself stays where it was.
const swiped = new Map();
const showRounds = () => {
  for (const rounds of document.querySelectorAll(".swipe")) {
    const played = rounds.querySelector(".swipe-match.is-open")?.closest(".swipe-page");
    const start = rounds.firstElementChild?.offsetLeft ?? 0;
    rounds.scrollLeft = swiped.get(rounds.ariaLabel) ?? (played?.offsetLeft ?? start) - start;
  }
};
showRounds();
document.body.addEventListener("htmx:beforeSwap", () => {
  for (const rounds of document.querySelectorAll(".swipe")) swiped.set(rounds.ariaLabel, rounds.scrollLeft);
});
document.body.addEventListener("htmx:afterSwap", showRounds);

withScript(document);
document.querySelectorAll("[data-exchange]").forEach(makeExchange);
document.querySelectorAll("[data-ranking]").forEach(makeTapping);
for (const sides of document.querySelectorAll(".report .sides")) {
  sides.addEventListener("click", (event) => { if (event.target.closest("label")?.querySelector("[type=radio]")) goOn(sides, event); });
}
document.querySelectorAll("[data-sortable]").forEach(makeSortable);
document.querySelectorAll("[data-keys]").forEach(makeKeys);
document.querySelectorAll("[data-find]").forEach(makeFinder);
document.querySelector("[data-print]")?.addEventListener("click", () => print());
document.querySelector(".preview")?.scrollIntoView({ block: "nearest" });
// With a fragment in the address browsers do not obey autofocus, and take the focus away when they scroll there.
if (location.hash) {
  addEventListener("load", () => requestAnimationFrame(() => document.querySelector("[autofocus]")?.focus()));
}
