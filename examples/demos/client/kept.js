// @ts-check
/**
 * The servers that the person has added, kept in this browser. What they entered into a setup is not here: the server keeps
 * that itself, on its own origin.
 *
 * @typedef {import("../../../src/cloche/web/frames/outer.js").SetupResult} SetupResult
 * @typedef {{url: string, setup: Omit<SetupResult, "ephemeralMessage">}} Kept
 */
const KEY = "servers";

/** @returns {Kept[]} */
export function keptServers() {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(found) ? found : [];
  } catch {
    return [];
  }
}

/** @param {Kept[]} servers */
export function keepServers(servers) {
  try {
    localStorage.setItem(KEY, JSON.stringify(servers));
  } catch (error) {
    console.warn("The list of servers is not kept", error);
  }
}
