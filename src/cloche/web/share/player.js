// @ts-check
import { isMinor } from "./moments.js";

/**
 * Where in the recording somebody is, and how it goes on by itself. Steps are counted among those that are shown.
 *
 * @typedef {import("./moments.js").Recording} Recording
 */

/** Milliseconds between two steps: as in the recording, but a person must see them, and nobody waits for long. */
const SHORTEST = 700;
const LONGEST = 2000;

export class Player extends EventTarget {
  /** Places in the recording of the steps that are shown. @type {number[]} */
  steps = [];
  /** The step that is looked at; -1 before the first. */
  step = -1;
  isPlaying = false;
  #everything = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /** @param {Recording} recording @param {import("./live-view.js").LiveView} live */
  constructor(recording, live) {
    super();
    this.recording = recording;
    this.live = live;
    this.#choose();
  }

  /** The place in the recording. */
  get position() {
    return this.steps[this.step] ?? -1;
  }

  /** Whether handshakes, lists and small movements are steps, too. @param {boolean} everything */
  showEverything(everything) {
    const before = this.position;
    this.#everything = everything;
    this.#choose();
    this.step = this.steps.findLastIndex((one) => one <= before);
    this.dispatchEvent(new Event("steps"));
    this.goTo(this.step);
  }

  #choose() {
    const { moments } = this.recording;
    const isShown = (/** @type {number} */ at) => this.#everything || !isMinor(moments[at], moments[at + 1]);
    this.steps = [...moments.keys()].filter(isShown);
  }

  /** @param {number} step */
  async goTo(step) {
    this.step = Math.max(-1, Math.min(this.steps.length - 1, step));
    this.dispatchEvent(new Event("moved"));
    this.dispatchEvent(new Event("going"));
    // After the last step the view is as it was at the end of the recording.
    const isLast = this.step === this.steps.length - 1;
    await this.live.goTo(isLast ? this.recording.moments.length - 1 : this.position);
    this.dispatchEvent(new Event("arrived"));
  }

  /** To a step, by hand. @param {number} step */
  jump(step) {
    this.pause();
    return this.goTo(step);
  }

  toggle() {
    if (this.isPlaying) this.pause();
    else this.play();
  }

  async play() {
    if (this.isPlaying) return;
    this.isPlaying = true;
    this.dispatchEvent(new Event("moved"));
    if (this.step >= this.steps.length - 1) await this.goTo(-1);
    while (this.isPlaying && this.step < this.steps.length - 1) {
      const from = this.recording.moments[this.position]?.at;
      const to = this.recording.moments[this.steps[this.step + 1]].at;
      const pause = from === undefined ? SHORTEST : Math.min(LONGEST, Math.max(SHORTEST, to - from));
      await new Promise((done) => this.#timer = setTimeout(done, pause));
      if (this.isPlaying) await this.goTo(this.step + 1);
    }
    this.pause();
  }

  pause() {
    clearTimeout(this.#timer);
    this.isPlaying = false;
    this.dispatchEvent(new Event("moved"));
  }
}
