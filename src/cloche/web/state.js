// @ts-check
// The state of a view that its server keeps, for hosts that keep none: a tool that only views call, under a key that came
// with the result. Stands on `window.cloche` (view.js). docs/view-state.md says how to use it.

/**
 * @typedef {{tool: string, key: string}} Place where the state of this one view is
 */

/** @param {any} bridge */
export function keepState(bridge) {
  const withHost = bridge.setState.bind(bridge);
  let changed = false;
  /** @type {Promise<unknown>} */
  let last = Promise.resolve();

  /** @type {Promise<Place | undefined>} */
  const place = new Promise((resolve) => {
    bridge.on("tool:result", (/** @type {any} */ { _meta }) => resolve(_meta?.["cloche/state"]));
    bridge.on("tool:cancelled", resolve.bind(null, undefined));
  });

  /** @param {object} args */
  const ask = async (args) => {
    const { tool, key } = /** @type {Place} */ (await place);
    const { isError, content, structuredContent } = await bridge.callTool(tool, { key, ...args });
    if (isError) throw Error(content?.[0]?.text);
    return structuredContent?.value;
  };

  /** @param {unknown} value @param {{model?: boolean}} [options] */
  bridge.setState = async (value, options) => {
    changed = true;
    if (await withHost(value, options)) return true;
    if (!await place) return false;
    // One after the other: the last value given is the one that stays.
    last = last.catch(() => {}).then(() => ask({ value, keep: true }));
    await last;
    return true;
  };

  place.then(async (found) => {
    await bridge.ready;
    const kept = bridge.hostCapabilities.experimental?.["cloche/state"];
    const value = found && !kept ? await ask({}) : bridge.getState();
    // What a person did while it was fetched is newer.
    if (changed || value === undefined || value === null) return;
    bridge.hostContext["cloche/state"] = value;
    dispatchEvent(new CustomEvent("view:state", { detail: value }));
  });
}

keepState(/** @type {any} */ (globalThis).cloche);
