// @ts-check
/**
 * Has `note` decide what the view reads as the time of day, whichever way it asks. Whole in one function, because its
 * text is put in front of the view.
 *
 * @param {any} scope the view's window
 * @param {(now: number) => number} note gets the time, and gives what the view gets
 */
export function watchTime(scope, note) {
  const Real = scope.Date;
  const read = () => note(Real.now());
  const Watched = new Proxy(Real, {
    apply: () => new Real(read()).toString(),
    construct: (_, given, target) => Reflect.construct(Real, given.length ? given : [read()], target),
    get: (_, key) => key === "now" ? read : Reflect.get(Real, key),
  });
  Object.defineProperty(Real.prototype, "constructor", { value: Watched, configurable: true, writable: true });
  scope.Date = Watched;
}

/**
 * Gives a played view the times that the recorded one read, in the same order: between two steps the played clock
 * stands still. A time that is too far off belongs to something else, and is not given.
 *
 * @param {any} scope the view's window
 * @param {number[]} times milliseconds since the epoch
 */
export function playTime(scope, times) {
  const FAR = 3000;
  let next = 0;
  watchTime(scope, (now) => {
    const recorded = times[next];
    next += 1;
    return recorded !== undefined && Math.abs(recorded - now) < FAR ? recorded : now;
  });
}
