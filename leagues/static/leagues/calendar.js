// Dragging a table to another board. The server says once, when the drag begins, what speaks against every slot.
// Whoever does not drag chooses from the table's own list.

let pressed = false;
let dragged = null;
let slots = null;
let behind = false;

const calendar = () => document.getElementById("calendar");
const says = () => calendar().querySelector("[data-says]");
const boardAt = (target) => target.closest?.("#calendar [data-board]");

const against = (board) => {
  const slot = slots?.[board.closest("[data-slot]").dataset.slot];
  if (!slot) return null;
  const own = board.contains(dragged);
  return own ? [] : [...slot.against, ...(slot.boards[board.dataset.board] ?? [])];
};

const tone = (conflicts) => {
  if (!conflicts) return "is-hard";
  if (conflicts.some((each) => each.hard)) return "is-hard";
  return conflicts.length ? "is-soft" : "is-fine";
};

const colour = () => {
  for (const slot of calendar().querySelectorAll("[data-slot]")) {
    const known = slots[slot.dataset.slot];
    if (known) slot.classList.add(tone(known.against));
  }
  for (const board of calendar().querySelectorAll("[data-board]")) board.classList.add(tone(against(board)));
};

const catchUp = () => {
  if (!behind || pressed || dragged) return;
  behind = false;
  htmx.trigger(document.body, "live:season");
};

const forget = () => {
  calendar()?.classList.remove("is-dragging");
  dragged?.classList.remove("is-dragged");
  const marked = calendar()?.querySelectorAll(".is-fine, .is-soft, .is-hard, .is-over-it") ?? [];
  for (const each of marked) each.classList.remove("is-fine", "is-soft", "is-hard", "is-over-it");
  if (calendar()) says().hidden = true;
  dragged = slots = null;
  catchUp();
};

const speak = (board) => {
  const conflicts = against(board);
  const when = board.closest("[data-slot]").dataset.when;
  const words = (conflicts ?? []).map((each) => each.words).join(" ");
  const line = says();
  line.textContent = `${when} · ${board.dataset.board}${words ? `: ${words}` : ""}`;
  line.classList.remove("is-space", "is-mind", "is-reality", "is-time");
  line.classList.add({ "is-hard": "is-reality", "is-soft": "is-mind", "is-fine": "is-time" }[tone(conflicts)]);
  line.hidden = false;
};

document.addEventListener("dragstart", async (event) => {
  const chip = event.target.closest?.("#calendar [data-table]");
  if (!chip) return;
  dragged = chip;
  event.dataTransfer.effectAllowed = "move";
  event.dataTransfer.setData("text/plain", chip.dataset.table);
  chip.classList.add("is-dragged");
  const answer = await fetch(chip.dataset.options, { headers: { Accept: "application/json" } });
  if (!answer.ok || dragged !== chip) return;
  slots = (await answer.json()).slots;
  calendar().classList.add("is-dragging");
  colour();
});

document.addEventListener("dragover", (event) => {
  const board = dragged && boardAt(event.target);
  if (!board || !slots) return;
  if (!board.classList.contains("is-over-it")) {
    for (const each of calendar().querySelectorAll(".is-over-it")) each.classList.remove("is-over-it");
    board.classList.add("is-over-it");
    speak(board);
  }
  if (tone(against(board)) !== "is-hard") {
    event.preventDefault();
    event.dataTransfer.dropEffect = "move";
  }
});

document.addEventListener("drop", (event) => {
  const board = dragged && boardAt(event.target);
  if (!board || board.contains(dragged)) return;
  event.preventDefault();
  const values = {
    do: "place",
    slot: board.closest("[data-slot]").dataset.slot,
    board: board.dataset.board,
    csrfmiddlewaretoken: calendar().querySelector("[data-csrf] input").value,
  };
  const path = dragged.dataset.table;
  forget();
  htmx.ajax("POST", path, { target: "#calendar", select: "#calendar > *", swap: "innerHTML", values });
});

document.addEventListener("dragend", forget);

// Whatever changes meanwhile must not take the table out of somebody's hand: it is fetched when they have let go.
document.addEventListener("pointerdown", (event) => { pressed = Boolean(event.target.closest?.("#calendar [data-table]")); });
for (const end of ["pointerup", "pointercancel"]) {
  document.addEventListener(end, () => { pressed = false; catchUp(); });
}
document.addEventListener("htmx:beforeSwap", (event) => {
  if ((!pressed && !dragged) || event.detail.target.id !== "calendar") return;
  event.detail.shouldSwap = false;
  behind = true;
});
