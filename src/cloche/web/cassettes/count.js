// @ts-check
/**
 * Counts what a played view is sent, so that the player knows when it has arrived. Whole in one function, because its
 * text is put in front of the view.
 *
 * @param {any} scope the view's window
 * @param {string} name of the counter, which no view guesses
 */
export function countMessages(scope, name) {
  let count = 0;
  Object.defineProperty(scope, name, { get: () => count });
  scope.addEventListener("message", (/** @type {MessageEvent} */ event) => {
    if (event.source === scope.parent) count += 1;
  });
}
