// @ts-check
/**
 * Which recorded answer belongs to which request of the view that is played: a request is found by method and parameters, in
 * the order of the recording. What the page answered by itself is recorded without its request, and goes to requests that
 * nobody else answers. `recorded_answers.py` does the same for `cloche replay`.
 *
 * @typedef {import("./moments.js").Moment} Moment
 * @typedef {{moment: Moment | null, outcome: Record<string, any>, isAsked: boolean, isDue: boolean, send: (() => void) | null}} Slot
 */

/** The code of the error for what was not recorded. */
const NOT_RECORDED = -32000;

/** JSON in which members have one order. @param {any} value @returns {string} */
function sorted(value) {
  return JSON.stringify(value, (_, one) => {
    if (Object(one) !== one || Array.isArray(one)) return one;
    return Object.fromEntries(Object.entries(one).sort(([a], [b]) => a < b ? -1 : 1));
  });
}

/** What makes two requests the same. @param {string} method @param {any} params */
export function keyOf(method, params) {
  const { _meta: _, ...said } = Object(params);
  return `${method} ${sorted(said)}`;
}

export class RecordedAnswers {
  /** What the view asked and the recording does not know. @type {string[]} */
  unknown = [];
  /** Whether everything was played: known requests get their last answer again. */
  isOver = false;
  /** @type {Map<Moment, Slot>} */
  #slots = new Map();
  /** @type {Map<string, Slot[]>} */
  #known = new Map();
  /** @type {Slot[]} */
  #others = [];
  /** @type {Map<string, Slot>} */
  #last = new Map();
  /** Requests that never got an answer. @type {Map<string, number>} */
  #never = new Map();

  /** @param {Moment[]} moments those of one view */
  constructor(moments) {
    for (const moment of moments) {
      const { kind, method, message } = moment;
      if (kind === "said" && message?.id !== undefined) {
        const key = keyOf(message.method, message.params);
        this.#never.set(key, (this.#never.get(key) ?? 0) + 1);
      }
      if (kind !== "got" || !message || message.method !== undefined) continue;
      const { result, error } = message;
      const outcome = error === undefined ? { result } : { error };
      const slot = { moment, outcome, isAsked: false, isDue: false, send: null };
      this.#slots.set(moment, slot);
      if (!method) this.#others.push(slot);
      else {
        const key = keyOf(method, moment.request);
        this.#known.set(key, [...this.#known.get(key) ?? [], slot]);
      }
    }
  }

  /** @param {Moment} moment @returns {Slot | undefined} */
  slot(moment) {
    return this.#slots.get(moment);
  }

  /** The answer comes now, or as soon as it is asked for. @param {Slot} slot */
  release(slot) {
    slot.isDue = true;
    slot.send?.();
  }

  /**
   * The view asks; `answer` is called with the outcome when it is time.
   *
   * @param {string} method @param {any} params @param {(outcome: Record<string, any>) => void} answer
   */
  take(method, params, answer) {
    const key = keyOf(method, params);
    const slot = this.#find(key);
    if (slot === null) return; // the recorded view waited for ever, too
    if (slot) {
      slot.isAsked = true;
      if (slot.isDue || this.isOver) answer(slot.outcome);
      else slot.send = () => answer(slot.outcome);
      return;
    }
    const text = method === "tools/call" ? `${method} ${params?.name}` : method;
    this.unknown.push(text.slice(0, 200));
    answer({ error: { code: NOT_RECORDED, message: `Not in the recording: ${text.slice(0, 200)}` } });
  }

  /** @param {string} key @returns {Slot | null | undefined} */
  #find(key) {
    const slot = this.#known.get(key)?.shift();
    if (!slot && this.isOver && this.#last.has(key)) return this.#last.get(key);
    if (!slot && (this.#never.get(key) ?? 0) > 0) {
      this.#never.set(key, (this.#never.get(key) ?? 0) - 1);
      return null;
    }
    const found = slot ?? this.#others.shift();
    if (found) this.#last.set(key, found);
    return found;
  }
}
