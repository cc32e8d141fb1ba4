// The frames of a match in their order: which are new, whether one is missing, and which wait to be shown.

export class FrameQueue {
  /** @type {Page.MatchFrame[]} */
  #waiting = [];

  /** @param {number} arrived the newest ply that the page has */
  constructor(arrived) {
    this.arrived = arrived; // shown, or waiting to be
    this.isShowing = false;
  }

  /** How many frames wait to be shown. */
  get waiting() { return this.#waiting.length; }

  /**
   * Take in a frame: `new` ones wait to be shown, with only those events that the page does not have yet. Of a frame
   * after a `gap` nothing is kept: the page must ask for everything after `arrived`.
   * @param {Page.MatchFrame} frame
   * @returns {"new" | "known" | "gap"}
   */
  accept(frame) {
    if (frame.v <= this.arrived) return "known";
    if (frame.since > this.arrived) return "gap";
    const events = frame.events.filter(({ ply }) => ply > this.arrived);
    this.arrived = frame.v;
    this.#waiting.push({ ...frame, events });
    return "new";
  }

  /**
   * Show what waits, one frame after another. Does nothing while an earlier call is at it, and says so.
   * @param {(frame: Page.MatchFrame) => unknown} show
   * @returns {Promise<boolean>} whether this call showed them
   */
  async showAll(show) {
    if (this.isShowing) return false;
    this.isShowing = true;
    try {
      while (this.#waiting.length) await show(/** @type {Page.MatchFrame} */ (this.#waiting.shift()));
    } finally {
      this.isShowing = false;
    }
    return true;
  }
}
