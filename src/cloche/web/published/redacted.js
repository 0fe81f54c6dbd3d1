// @ts-check
/** Characters of a secret that is worth looking for: a shorter one would be found in every second word. */
const SHORTEST = 4;
const INSTEAD = "(secret)";

/** The texts among secrets that are looked for. @param {Record<string, any>} hidden @returns {string[]} */
export const textsOf = (hidden) =>
  Object.values(hidden).filter((one) => typeof one === "string" && one.length >= SHORTEST)
    .sort((a, b) => b.length - a.length);

/**
 * A message without the secrets in it: a tool that repeats one by mistake, in a result or an error, does not give it to
 * the page around this one.
 *
 * @template T
 * @param {T} message
 * @param {string[]} secrets
 * @returns {T}
 */
export function redacted(message, secrets) {
  if (!secrets.length) return message;
  const text = JSON.stringify(message);
  return secrets.some((one) => text.includes(JSON.stringify(one).slice(1, -1)))
    ? /** @type {T} */ (replaced(message, secrets))
    : message;
}

/** @param {any} value @param {string[]} secrets @returns {any} */
function replaced(value, secrets) {
  if (typeof value === "string") return secrets.reduce((text, one) => text.replaceAll(one, INSTEAD), value);
  if (Array.isArray(value)) return value.map((one) => replaced(one, secrets));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [replaced(key, secrets), replaced(one, secrets)]),
  );
}
