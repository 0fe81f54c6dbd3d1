// @ts-check
/** URLs of servers, whose hash says which phase it is, and ids of sessions. */

/** An id that nobody can guess. */
export const generateSessionId = () => "mcp-" + crypto.randomUUID();

/**
 * What a hash says: a list with commas, in which `setup` is the setup phase.
 *
 * @param {string | URL} url
 * @returns {{url: URL, isSetup: boolean, isVisible: boolean}}
 */
export function parseServerUrl(url) {
  const parsed = new URL(url, globalThis.document?.baseURI);
  const words = parsed.hash.slice(1).split(",");
  return { url: parsed, isSetup: words.includes("setup"), isVisible: words.includes("visible") };
}

/** The phase that this page was loaded for. @param {string | URL} [url] @returns {"setup" | "transport"} */
export const getServerPhase = (url = location.href) => parseServerUrl(url).isSetup ? "setup" : "transport";

/** Where a server is set up. @param {string | URL} url */
export function getSetupUrl(url) {
  const { url: found } = parseServerUrl(url);
  found.hash = "setup";
  return found.href;
}

/** Where a server is connected to. @param {string | URL} url */
export function getTransportUrl(url) {
  const { url: found } = parseServerUrl(url);
  found.hash = "";
  return found.href;
}

/** Origins as browsers write them; `*` and `null` stay what they are. @param {readonly string[]} origins */
export const plainOrigins = (origins) =>
  origins.map((origin) => {
    if (origin == "*" || origin == "null") return origin;
    const found = URL.canParse(origin) ? new URL(origin).origin : "null";
    if (found != "null") return found;
    throw new TypeError(`${String(origin).slice(0, 100)} is not an origin: write it as in https://app.example`);
  });
