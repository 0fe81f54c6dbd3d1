// @ts-check
/**
 * Chance that comes out the same each time: while a view is recorded, and while it is played. Whole in one function,
 * because its text is put in front of the view.
 *
 * @param {any} scope the view's window
 * @param {number} seed
 */
export function steadyChance(scope, seed) {
  let state = seed >>> 0;
  /** A number of 32 bits: a Weyl sequence, stirred. */
  const next = () => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return (mixed ^ (mixed >>> 15)) >>> 0;
  };
  scope.Math.random = () => next() / 0x1_0000_0000;
  /** @param {ArrayBufferView} array */
  const fill = (array) => {
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    for (let at = 0; at < bytes.length; at += 1) bytes[at] = next() & 255;
    return array;
  };
  const uuid = () => {
    const bytes = fill(new Uint8Array(16));
    const hex = Array.from(/** @type {Uint8Array} */ (bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
    const variant = "89ab"[parseInt(hex[16], 16) & 3];
    const parts = [hex.slice(0, 8), hex.slice(8, 12), "4" + hex.slice(13, 16), variant + hex.slice(17, 20)];
    return [...parts, hex.slice(20)].join("-");
  };
  for (const [name, value] of Object.entries({ getRandomValues: fill, randomUUID: uuid })) {
    Object.defineProperty(scope.crypto, name, { value, configurable: true, writable: true });
  }
}
