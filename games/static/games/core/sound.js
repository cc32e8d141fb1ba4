// Sounds of the table, made here from a few tones and noise; never the only sign of anything, and off until wanted.

import { isOn } from "./settings.js";

/** @type {AudioContext | undefined} */
let audio;
const VOLUME = 0.22;

/** @typedef {{ at?: number, pitch?: number, to?: number, time: number, shape?: OscillatorType, loud?: number, noise?: number }} Tone */

/** @type {Record<string, Tone[]>} */
const SOUNDS = {
  turn: [{ pitch: 523, time: 0.16, shape: "triangle" }, { at: 0.15, pitch: 784, time: 0.26, shape: "triangle" }],
  tick: [{ pitch: 220, time: 0.06, shape: "square", loud: 0.4 }],
  token: [{ pitch: 1800, to: 1300, time: 0.07, shape: "sine" }, { at: 0.03, pitch: 2600, time: 0.05, loud: 0.4 }],
  card: [{ noise: 2600, time: 0.13, loud: 0.7 }],
  roll: [0, 0.08, 0.17, 0.24].map((at) => ({ at, noise: 900, time: 0.05, loud: 1 })),
  fight: [{ noise: 500, time: 0.22, loud: 1.2 }, { pitch: 140, to: 70, time: 0.25, shape: "sawtooth", loud: 0.5 }],
  hurt: [{ pitch: 110, to: 55, time: 0.35, shape: "sine", loud: 1.5 }],
  stone: [{ pitch: 196, time: 1.1, shape: "sine", loud: 0.9 }, { pitch: 294, time: 0.9, shape: "sine", loud: 0.4 }],
  ask: [{ pitch: 440, time: 0.14, shape: "triangle" }, { at: 0.14, pitch: 660, time: 0.2, shape: "triangle" }],
  won: [523, 659, 784, 1047].map((pitch, step) => ({ at: step * 0.16, pitch, time: 0.34, shape: /** @type {OscillatorType} */ ("triangle") })),
  lost: [392, 330, 262].map((pitch, step) => ({ at: step * 0.22, pitch, time: 0.4, shape: /** @type {OscillatorType} */ ("triangle") })),
};

/** What is heard of an event. @type {Record<string, string>} */
const HEARD = {
  took: "token", returned: "token", "got-grey": "token", recruited: "card", reserved: "card", "reserved-unseen": "card",
  played: "card", drew: "card", rolled: "roll", "re-rolled": "roll", "thanos-rolled": "roll", "stone-rolled": "roll",
  fought: "fight", defeated: "fight", "thanos-attacked": "fight", "villain-acted": "fight", "villain-defeated": "fight",
  damaged: "hurt", "hero-lost": "hurt", "stone-collected": "stone", "time-stone": "stone", "took-power": "token",
};

/**
 * Noise that fades: paper, dice, blows.
 * @param {AudioContext} context
 * @param {number} time
 */
const noise = (context, time) => {
  const buffer = context.createBuffer(1, Math.ceil(context.sampleRate * time), context.sampleRate);
  const data = buffer.getChannelData(0);
  for (let at = 0; at < data.length; at += 1) data[at] = Math.random() * 2 - 1;
  const source = context.createBufferSource();
  source.buffer = buffer;
  return source;
};

/**
 * @param {AudioContext} context
 * @param {Tone} tone
 */
const sing = (context, { at = 0, pitch = 440, to, time, shape = "sine", loud = 1, noise: cut }) => {
  const begin = context.currentTime + at;
  const gain = context.createGain();
  gain.gain.setValueAtTime(VOLUME * loud, begin);
  gain.gain.exponentialRampToValueAtTime(0.001, begin + time);
  gain.connect(context.destination);
  if (cut) {
    const filter = new BiquadFilterNode(context, { type: "bandpass", frequency: cut, Q: 0.8 });
    const source = noise(context, time);
    source.connect(filter).connect(gain);
    source.start(begin);
    return;
  }
  const source = new OscillatorNode(context, { type: shape, frequency: pitch });
  if (to) source.frequency.exponentialRampToValueAtTime(to, begin + time);
  source.connect(gain);
  source.start(begin);
  source.stop(begin + time);
};

/** @param {string} name */
export const play = (name) => {
  if (!isOn("sound") || !SOUNDS[name]) return;
  audio ??= new AudioContext();
  if (audio.state === "suspended") audio.resume(); // allowed once the reader has pressed something
  for (const tone of SOUNDS[name]) sing(audio, tone);
  document.documentElement.dataset.sound = name;
};

/** @param {string} kind of an event */
export const playEvent = (kind) => { if (HEARD[kind]) play(HEARD[kind]); };
