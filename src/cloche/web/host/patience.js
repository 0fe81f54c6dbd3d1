// @ts-check
/**
 * How long others have to say something. Who is only late is heard before it is judged: a view, its browser's process or
 * the whole machine may be busy. And time that this page could not listen in is nobody's: of a stretch in which it stood
 * still itself, no more than a tenth of the patience counts.
 */

/** Milliseconds that a view has to say what the person did in it, before it is taken for one that took the keyboard. */
export const HEARD_WITHIN = 10_000;
/** The same where the keyboard was in a field whose contents nobody else may see. */
export const HEARD_WITHIN_OF_SECRET = 1000;

const PARTS = 10;

/**
 * Calls once the time is over, in parts.
 *
 * @param {number} milliseconds
 * @param {() => void} over
 * @returns {() => void} stops waiting
 */
export function waiting(milliseconds, over) {
  let left = PARTS;
  const next = () => setTimeout(() => left-- > 1 ? timer = next() : over(), milliseconds / PARTS);
  let timer = next();
  return () => clearTimeout(timer);
}

/** The same, to wait for. @param {number} milliseconds @returns {Promise<null>} */
export function patience(milliseconds) {
  return new Promise((resolve) => void waiting(milliseconds, () => resolve(null)));
}
