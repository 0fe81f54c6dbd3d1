// @ts-check
/** What a view finds around it, where the browser's own is missing, dangerous or odd. Each is whole in one function, because its text is put in front of the view. */

/**
 * Gives the view a parent that can be looked at. Reading anything unknown of a window of another origin throws, and Vue
 * reads marks of its own from everything that it keeps: a view that keeps `window.parent` in its state would fail. What
 * can be done with it is the same, and messages come from it.
 *
 * @param {any} scope the view's window
 */
export function standInForParent(scope) {
  const host = scope.parent;
  try {
    return void host.document; // the same origin: nothing throws
  } catch {
    // Frozen, so that nobody wraps it, and it stays what messages come from.
    const parent = Object.freeze({ postMessage: (/** @type {any[]} */ ...given) => host.postMessage(...given) });
    Object.defineProperty(scope, "parent", { value: parent, configurable: true, writable: true });
    scope.addEventListener("message", (/** @type {MessageEvent} */ event) => {
      if (event.source === host) Object.defineProperty(event, "source", { value: parent });
    }, true);
  }
}

/**
 * Takes WebRTC away, which obeys no content policy: no view can use it, because what it connects to cannot be declared.
 * A child frame has it again, so this alone stops nobody where child frames load and `Connection-Allowlist` is unknown.
 *
 * @param {any} scope the view's window
 */
export function withoutRtc(scope) {
  for (const name of ["RTCPeerConnection", "webkitRTCPeerConnection", "mozRTCPeerConnection"]) {
    delete scope[name];
    Object.defineProperty(scope, name, { value: undefined });
  }
}

/**
 * Lets links to a fragment do what they say. A view has its parent's base address, so Firefox and WebKit take "#there"
 * for another page, which the policy forbids; `location.hash` is always this page's.
 *
 * @param {any} scope the view's window
 */
export function followFragments(scope) {
  scope.addEventListener("click", (/** @type {MouseEvent} */ event) => {
    const link = /** @type {any[]} */ (event.composedPath()).find((node) => node.localName === "a");
    const to = link?.getAttribute("href");
    if (event.defaultPrevented || !to?.startsWith("#") || String(link.href).startsWith("about:")) return;
    event.preventDefault();
    scope.location.hash = to;
    if (to === "#") scope.scrollTo(0, 0);
  });
}
