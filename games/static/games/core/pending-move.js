// A move on its way to the server: one at a time. Without a connection it is kept and sent again: it names the ply it
// was chosen at, so the server takes it once or not at all.

const ANSWER_WITHIN = 5_000;

/** @typedef {{ ply: number, move: string }} MoveMessage */

export class PendingMove {
  /** @type {MoveMessage | null} */
  message = null;

  isKept = false;

  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /**
   * @param {object} page
   * @param {(pending: PendingMove) => void} page.onChange
   * @param {(message: MoveMessage) => void} page.transmit
   * @param {() => boolean} page.isConnected
   * @param {() => void} page.onSilence no answer came over a connection that works: the page asks for the truth
   */
  constructor({ onChange, transmit, isConnected, onSilence }) {
    this.onChange = onChange;
    this.transmit = transmit;
    this.isConnected = isConnected;
    this.onSilence = onSilence;
  }

  get isPending() {
    return this.message !== null;
  }

  /** @param {MoveMessage} message */
  start(message) {
    this.message = message;
    if (!this.isConnected()) { this.keep(); return; }
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#silent(), ANSWER_WITHIN);
    this.isKept = false;
    this.onChange(this);
    this.transmit(message);
  }

  #silent() {
    if (!this.isConnected()) { this.keep(); return; }
    this.end();
    this.onSilence();
  }

  /** The connection is lost: keep the move until it is back. */
  keep() {
    if (!this.message) return;
    clearTimeout(this.#timer);
    this.isKept = true;
    this.onChange(this);
  }

  /** The connection is back: send the kept move again. */
  resend() {
    if (this.message && this.isKept) this.start(this.message);
  }

  /** The answer is here, whatever it says; or the reader does not want the kept move any more. */
  end() {
    clearTimeout(this.#timer);
    this.message = null;
    this.isKept = false;
    this.onChange(this);
  }
}
