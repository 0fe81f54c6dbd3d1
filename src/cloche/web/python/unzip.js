// @ts-check
/**
 * Archives, unpacked by the browser: Python would do it in WebAssembly that was never run before, and takes longer for
 * it than for anything else in a start from a snapshot. It knows what bundles are made of, and nothing more.
 */

/** How a central directory ends, how each of its entries begins, and the ways in which a file can be stored. */
const END_OF_DIRECTORY = 0x06054b50;
const DIRECTORY_ENTRY = 0x02014b50;
const END_SIZE = 22;
const STORED = 0;
const DEFLATED = 8;

/** The files in an archive, by name. @param {ArrayBuffer} archive @returns {Promise<[string, Uint8Array][]>} */
export function unzip(archive) {
  const view = new DataView(archive);
  let end = archive.byteLength - END_SIZE;
  while (end >= 0 && view.getUint32(end, true) != END_OF_DIRECTORY) end--;
  if (end < 0) throw new Error("it is not an archive, or not all of one");
  const files = [];
  let at = view.getUint32(end + 16, true);
  for (let left = view.getUint16(end + 10, true); left > 0; left--) {
    if (view.getUint32(at, true) != DIRECTORY_ENTRY) throw new Error("its list of files is damaged");
    const [nameLength, extraLength, noteLength] = [28, 30, 32].map((offset) => view.getUint16(at + offset, true));
    const name = new TextDecoder().decode(new Uint8Array(archive, at + 46, nameLength));
    const method = view.getUint16(at + 10, true);
    const size = view.getUint32(at + 20, true);
    const local = view.getUint32(at + 42, true);
    // The file's own header has its own length of the name and of what else there is.
    const begin = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
    if (!name.endsWith("/")) files.push(unpacked(name, method, new Uint8Array(archive, begin, size)));
    at += 46 + nameLength + extraLength + noteLength;
  }
  return Promise.all(files);
}

/**
 * @param {string} name
 * @param {number} method
 * @param {Uint8Array<ArrayBuffer>} data
 * @returns {Promise<[string, Uint8Array]>}
 */
async function unpacked(name, method, data) {
  if (method == STORED) return [name, data];
  if (method != DEFLATED) throw new Error(`${name} in it is packed in a way that is not known here: ${method}`);
  const stream = new Blob([data]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return [name, new Uint8Array(await new Response(stream).arrayBuffer())];
}
