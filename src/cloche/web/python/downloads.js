// @ts-check
/** The files of a bundle, as they come from the web server. */

/** @param {URL | string} folder @param {string} path */
export async function download(folder, path) {
  const url = new URL(path, folder).href;
  const response = await fetch(url).catch(() => undefined);
  if (!response?.ok) {
    const why = response?.status ?? "no answer, or the Content-Security-Policy (connect-src) or CORS forbids it";
    throw new Error(`${url} could not be loaded: ${why}`);
  }
  return response;
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
