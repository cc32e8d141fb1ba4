// What a reader has chosen for tables: kept in this browser, for all matches.

/** @typedef {"slow" | "normal" | "fast" | "instant"} Speed */

/** How long a thing is shown, compared with the normal speed. @type {Record<Speed, number>} */
export const SPEEDS = { slow: 1.5, normal: 1, fast: 0.6, instant: 0 };

const PREFIX = "table-";
/** @type {Record<string, string>} */
const DEFAULTS = { speed: "normal", confirm: "off", sound: "off", notify: "off" };

/** @param {string} name */
export const setting = (name) => {
  try {
    return localStorage.getItem(PREFIX + name) ?? DEFAULTS[name];
  } catch { return DEFAULTS[name]; } // a browser that keeps nothing
};

/** @param {string} name */
export const isOn = (name) => setting(name) === "on";

/** @type {(name: string, value: string) => void} */
export const choose = (name, value) => {
  try {
    localStorage.setItem(PREFIX + name, value);
  } catch { /* then it holds until the page is left */ }
  DEFAULTS[name] = value;
};

/** @returns {Speed} */
export const speed = () => {
  const chosen = setting("speed");
  return Object.hasOwn(SPEEDS, chosen) ? /** @type {Speed} */ (chosen) : "normal";
};

/**
 * Join the form of the settings to what is kept; `onChange` hears what was changed by hand.
 * @param {HTMLElement} form
 * @param {(name: string, value: string) => void} onChange
 */
export const bindSettings = (form, onChange) => {
  for (const field of /** @type {NodeListOf<HTMLInputElement | HTMLSelectElement>} */ (form.querySelectorAll("[data-setting]"))) {
    const name = field.dataset.setting ?? "";
    if (field instanceof HTMLInputElement) field.checked = isOn(name);
    else field.value = setting(name);
    field.addEventListener("change", () => {
      const value = field instanceof HTMLInputElement ? (field.checked ? "on" : "off") : field.value;
      choose(name, value);
      onChange(name, value);
    });
  }
};
