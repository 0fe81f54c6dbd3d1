// @ts-check
/**
 * The files of a bundle, as they come from the web server, and only if they are the ones that were written.
 *
 * @typedef {Record<string, string>} Integrity what files must be, by name: the words of `integrity` attributes
 */

/** The browser's own, also while another one stands in its place. */
const { fetch } = globalThis;

/** A file is there, and is not the one that was written. */
export class ChangedFile extends Error {}

/**
 * @param {URL | string} folder
 * @param {string} path
 * @param {Integrity} [integrity] of files in the folder; one that is not in it may be anything
 */
export async function download(folder, path, integrity = {}) {
  const url = new URL(path, folder).href;
  const expected = Object.hasOwn(integrity, path) ? integrity[path] : "";
  let response = await fetch(url, { integrity: expected }).catch(() => undefined);
  if (response?.ok) return response;
  // The browser does not tell a changed file from one that does not arrive.
  if (!response && expected) response = await fetch(url).catch(() => undefined);
  if (response?.ok) {
    throw new ChangedFile(
      `${url} has been changed on its host since it was published, so it is not used: load the page again, and if ` +
        "that does not help, the site has to be published again",
    );
  }
  const why = response?.status ?? "no answer, or the Content-Security-Policy (connect-src) or CORS forbids it";
  throw new Error(`${url} could not be loaded: ${why}`);
}

/**
 * Check a script that the browser loads by itself, from its cache or once more: it takes no `integrity` for modules of
 * workers.
 *
 * @param {URL | string} folder
 * @param {string} path
 * @param {Integrity} [integrity]
 */
export async function checkScript(folder, path, integrity = {}) {
  if (Object.hasOwn(integrity, path)) await (await download(folder, path, integrity)).arrayBuffer();
}

/**
 * Do something during which `fetch` checks the files of a bundle: Pyodide's loader fetches its own, and waits for ever
 * for WebAssembly that it does not get.
 *
 * @template T
 * @param {URL | string} folder
 * @param {Integrity} integrity
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withCheckedFetch(folder, integrity, work) {
  const names = new Map(Object.keys(integrity).map((name) => [new URL(name, folder).href, name]));
  const changed = new Promise((_, reject) => {
    globalThis.fetch = async (what, options) => {
      const name = names.get(what instanceof Request ? what.url : String(what));
      if (name === undefined) return await fetch(what, options);
      return await download(folder, name, integrity).catch((error) => {
        reject(error);
        throw error;
      });
    };
  });
  try {
    return await Promise.race([work(), /** @type {Promise<never>} */ (changed)]);
  } finally {
    globalThis.fetch = fetch;
  }
}

/**
 * What was compressed, while it arrives; as it is where the browser has decompressed it already, because the web server
 * called that its encoding.
 *
 * @param {Response} response
 */
export async function unzipped(response) {
  const [beginning, whole] = /** @type {ReadableStream<Uint8Array<ArrayBuffer>>} */ (response.body).tee();
  const reader = beginning.getReader();
  const { value } = await reader.read();
  reader.cancel();
  const isCompressed = value?.[0] == 0x1f && value[1] == 0x8b;
  return isCompressed ? whole.pipeThrough(new DecompressionStream("gzip")) : whole;
}
