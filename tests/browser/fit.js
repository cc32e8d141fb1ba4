// What does not fit on one screen, as a list of sentences; empty where everything does. Parts that must be seen have
// `data-must`, also inside the shadow roots of table elements.
() => {
  const [width, height] = [innerWidth, innerHeight];
  const problems = new Set();
  const roots = [document];
  for (let at = 0; at < roots.length; at += 1) {
    for (const element of roots[at].querySelectorAll("*")) if (element.shadowRoot) roots.push(element.shadowRoot);
  }
  const all = (selector) => roots.flatMap((root) => [...root.querySelectorAll(selector)]);
  const isShown = (element) => element.checkVisibility({ visibilityProperty: true }) && element.getBoundingClientRect().width > 0;
  const name = (element) => element.dataset.must ?? (element.id || element.className.baseVal || element.className || element.tagName);
  const page = document.scrollingElement;
  if (page.scrollHeight > height + 1 || page.scrollWidth > width + 1) problems.add(`the page scrolls: ${page.scrollWidth}x${page.scrollHeight}`);
  const stage = document.querySelector("#stage");
  const must = all("[data-must]");
  // A board that is made for one screen says so by naming its parts.
  if (must.some((element) => stage?.contains(element.getRootNode().host)) && (stage.scrollHeight > stage.clientHeight + 1 || stage.scrollWidth > stage.clientWidth + 1)) {
    problems.add(`the stage scrolls: ${stage.scrollWidth}x${stage.scrollHeight} in ${stage.clientWidth}x${stage.clientHeight}`);
  }
  for (const element of must) {
    const box = element.getBoundingClientRect();
    if (!isShown(element)) problems.add(`hidden: ${name(element)}`);
    else if (box.left < -0.5 || box.top < -0.5 || box.right > width + 0.5 || box.bottom > height + 0.5) {
      problems.add(`outside the screen: ${name(element)} ${[box.left, box.top, box.right, box.bottom].map(Math.round)}`);
    }
  }
  const outermost = must.filter((element) => isShown(element) && !element.parentElement?.closest("[data-must]"));
  for (const [at, one] of outermost.entries()) {
    for (const other of outermost.slice(at + 1)) {
      const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
      const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (across > 1.5 && down > 1.5) problems.add(`${name(one)} lies over ${name(other)}: ${Math.round(across)}x${Math.round(down)}`);
    }
  }
  for (const element of document.querySelectorAll(".table-bar button, .table-bar a.tool, .strip .tool")) {
    if (!isShown(element)) continue;
    const box = element.getBoundingClientRect();
    if (box.left < -0.5 || box.right > width + 0.5) problems.add(`outside the screen: ${name(element)}`);
    if (box.width < 43.5 || box.height < 43.5) problems.add(`too small to touch: ${name(element)} ${Math.round(box.width)}x${Math.round(box.height)}`);
  }
  for (const element of document.querySelectorAll(".table-bar *, .strip-main *")) {
    if (!isShown(element) || element.closest("svg, .visually-hidden, .tool-word") || ![...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim())) continue;
    const box = element.getBoundingClientRect();
    if (box.width <= 2) continue; // for screen readers
    if (box.right > width + 1 || box.left < -1) problems.add(`text outside the screen: ${element.textContent.trim().slice(0, 30)}`);
    if (parseFloat(getComputedStyle(element).fontSize) < 11.6) problems.add(`text too small: ${element.textContent.trim().slice(0, 30)}`);
  }
  return [...problems];
};
