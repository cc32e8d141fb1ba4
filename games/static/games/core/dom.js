// Parts of the page that a script needs.

/**
 * The element with this id, which the page must have.
 * @template {Element} T
 * @param {string} id
 * @param {new () => T} type
 * @returns {T}
 */
export const need = (id, type) => {
  const element = document.getElementById(id);
  if (element instanceof type) return element;
  throw new TypeError(`the page has no ${type.name} #${id}`);
};

/** The state that the server wrote into the page. */
export const readState = () => JSON.parse(need("table-state", HTMLScriptElement).textContent ?? "");

/**
 * Whether a key was pressed inside one of these.
 * @param {KeyboardEvent} event
 * @param {string} selector
 */
export const isTypedInto = (event, selector) => {
  const [target] = event.composedPath();
  return target instanceof Element && target.matches(selector);
};
