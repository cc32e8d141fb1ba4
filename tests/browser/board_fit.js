// What is wrong with a board on its stage, as a list of sentences: the stage scrolls, a part is outside or covered, a
// text is cut or too small, something that is pressed is too small for a finger. Text that ends in dots is meant to.
() => {
  const stage = document.querySelector("#stage");
  const edge = stage.getBoundingClientRect();
  const problems = new Set();
  const board = stage.firstElementChild.renderRoot;
  const all = [...board.querySelectorAll("*")];
  const isShown = (element) => element.checkVisibility({ visibilityProperty: true }) && element.getBoundingClientRect().width > 0;
  const name = (element) => element.dataset.must ?? element.getAttribute("class") ?? element.tagName;
  const lookUp = (element, test) => { for (let one = element; one; one = one.parentElement) if (test(one)) return one; return null; };
  if (stage.scrollHeight > stage.clientHeight + 1 || stage.scrollWidth > stage.clientWidth + 1) problems.add(`the stage scrolls: ${stage.scrollWidth}x${stage.scrollHeight}`);
  const must = all.filter((element) => element.dataset.must);
  for (const part of ["others", "question"]) if (!must.some((element) => element.dataset.must === part && isShown(element))) problems.add(`missing: ${part}`);
  for (const element of must.filter(isShown)) {
    const box = element.getBoundingClientRect();
    if (box.left < edge.left - 0.5 || box.top < edge.top - 0.5 || box.right > edge.right + 0.5 || box.bottom > edge.bottom + 0.5) problems.add(`outside: ${name(element)}`);
    for (const other of must.slice(must.indexOf(element) + 1)) {
      if (!isShown(other) || element.contains(other) || other.contains(element)) continue;
      const second = other.getBoundingClientRect();
      const across = Math.min(box.right, second.right) - Math.max(box.left, second.left);
      const down = Math.min(box.bottom, second.bottom) - Math.max(box.top, second.top);
      if (across > 1.5 && down > 1.5) problems.add(`${name(element)} lies over ${name(other)}`);
    }
  }
  // What scrolls within a part hides nothing, as long as it stays within that part.
  for (const element of all.filter((one) => isShown(one) && !one.classList.contains("visually-hidden") && /auto|scroll/.test(getComputedStyle(one).overflowY))) {
    const part = element.closest("[data-must]");
    const [box, room] = [element.getBoundingClientRect(), (part ?? stage).getBoundingClientRect()];
    if (box.left < room.left - 3 || box.top < room.top - 3 || box.right > room.right + 3 || box.bottom > room.bottom + 3) problems.add(`spills: ${name(element)} out of ${part ? name(part) : "the stage"}`);
  }
  const cutsOn = (element) => getComputedStyle(element).overflow !== "visible" || element.dataset.must || element.tagName === "BUTTON" || element.classList.contains("panel");
  const isMeant = (element) => {
    const { textOverflow, overflowX, overflowY } = getComputedStyle(element);
    return textOverflow === "ellipsis" || /auto|scroll/.test(overflowX + overflowY) || element.classList.contains("visually-hidden");
  };
  for (const element of all.filter(isShown)) {
    for (const text of [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE && node.data.trim())) {
      if (lookUp(element, (one) => one.classList.contains("visually-hidden"))) continue;
      const picture = element.closest("svg");
      const scale = picture?.viewBox.baseVal?.width ? picture.getBoundingClientRect().width / picture.viewBox.baseVal.width : 1;
      if (parseFloat(getComputedStyle(element).fontSize) * scale < 11.6) problems.add(`too small: "${text.data.trim()}" in ${name(element)}`);
      if (picture || lookUp(element, isMeant)) continue;
      const range = document.createRange();
      range.selectNodeContents(text);
      for (const { left, right, top, bottom, width } of range.getClientRects()) {
        const cut = width && lookUp(element, (one) => {
          const box = one.getBoundingClientRect();
          return cutsOn(one) && (left < box.left - 1.5 || right > box.right + 1.5 || top < box.top - 3 || bottom > box.bottom + 3);
        });
        if (cut) problems.add(`cut: "${text.data.trim()}" by ${name(cut)}`);
      }
    }
  }
  for (const button of all.filter((element) => element.tagName === "BUTTON" && isShown(element))) {
    const { width, height } = button.getBoundingClientRect();
    if (width < 43.5 || height < 43.5) problems.add(`too small to touch: ${name(button)} ${Math.round(width)}x${Math.round(height)}`);
  }
  return [...problems];
};
