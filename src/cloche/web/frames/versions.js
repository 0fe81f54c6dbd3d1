// @ts-check
/** Versions are dotted numbers, compared number by number: 1.10 is newer than 1.9, and 1.0 is 1.0.0. */

/** Negative when `a` is the older one, 0 when they are the same. @param {string} a @param {string} b */
export function compareVersions(a, b) {
  const [these, those] = [a, b].map((version) => version.split(".").map(Number));
  for (let i = 0; i < Math.max(these.length, those.length); i++) {
    const difference = (these[i] ?? 0) - (those[i] ?? 0);
    if (difference) return difference;
  }
  return 0;
}

/**
 * The highest of `versions` from `least` to `most`; undefined when none of them is.
 *
 * @param {readonly string[]} versions
 * @param {string} least
 * @param {string} most
 */
export const highestWithin = (versions, least, most) =>
  versions.filter((one) => compareVersions(least, one) <= 0 && compareVersions(one, most) <= 0)
    .sort(compareVersions).at(-1);
