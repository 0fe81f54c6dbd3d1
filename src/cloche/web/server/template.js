// @ts-check

/**
 * Matches the URIs of a template: `{name}` stands for anything within a segment, `{+name}` for any number of segments.
 *
 * Everything is found from the right, and nothing is tried twice: the time goes with the length of the URI, whatever it
 * is. As in Python (`wire/uri_template.py`), so a template in which only trying tells two values apart is refused.
 *
 * @param {string} template
 * @returns {(uri: string) => Record<string, string> | undefined} the values, still encoded
 */
export function uriMatcher(template) {
  const pieces = template.split(/\{(\+?\w+)\}/);
  const literals = pieces.filter((_, at) => at % 2 == 0);
  const written = pieces.filter((_, at) => at % 2);
  const names = written.map((name) => name.replace("+", ""));
  check(template, literals, names, written.filter((name) => name[0] == "+").length);
  const path = written.findIndex((name) => name[0] == "+");
  if (path < 0) {
    return (uri) => {
      const last = literals[literals.length - 1];
      const found = uri.endsWith(last) ? backwards(uri, uri.length - last.length, literals, names, true) : undefined;
      return found && (names.length || uri == last) ? found.values : undefined;
    };
  }
  const before = literals.slice(0, path + 1), behind = literals.slice(path + 1);
  return (uri) => {
    const last = behind[behind.length - 1];
    if (!uri.endsWith(last)) return undefined;
    const right = backwards(uri, uri.length - last.length, behind, names.slice(path + 1), false);
    const left = right && leftOf(uri, right.start, before, names.slice(0, path));
    if (!right || !left || left.end >= right.start) return undefined;
    return { ...left.values, [names[path]]: uri.slice(left.end, right.start), ...right.values };
  };
}

/** @param {string} template @param {string[]} literals @param {string[]} names @param {number} paths */
function check(template, literals, names, paths) {
  if (literals.some((text) => /[{}]/.test(text))) {
    throw new TypeError(`The template ${template} has braces that are no {name} or {+name}`);
  }
  if (new Set(names).size < names.length) {
    throw new TypeError(`The template ${template} has a name twice: give each value its own`);
  }
  if (literals.slice(1, -1).includes("") || paths > 1) {
    throw new TypeError(
      `The template ${template} does not say where one value ends and the next begins: ` +
        "put a character between them, and use {+name} once",
    );
  }
}

/**
 * The values in front of `end`, where the last literal begins; `anchored`: the first literal begins the text.
 *
 * @param {string} text @param {number} end @param {string[]} literals @param {string[]} names @param {boolean} anchored
 */
function backwards(text, end, literals, names, anchored) {
  /** @type {Record<string, string>} */
  const values = {};
  for (let at = names.length - 1; at >= 0; at--) {
    const literal = literals[at];
    const latest = end - 1 - literal.length;
    const start = at || !anchored
      ? (latest < 0 ? -1 : text.lastIndexOf(literal, latest))
      : text.startsWith(literal)
      ? 0
      : -1;
    const value = start < 0 ? "" : text.slice(start + literal.length, end);
    if (!value || /[/?#]/.test(value)) return undefined;
    values[names[at]] = value;
    end = start;
  }
  return { start: end, values };
}

/**
 * What stands before `{+name}`: it has as many slashes as the template has there.
 *
 * @param {string} text @param {number} limit @param {string[]} literals @param {string[]} names
 */
function leftOf(text, limit, literals, names) {
  const last = literals[literals.length - 1];
  if (!names.length) return text.startsWith(last) ? { end: last.length, values: {} } : undefined;
  let slash = -1;
  for (let left = literals.join("").split("/").length; left > 0; left--) {
    slash = text.indexOf("/", slash + 1);
    if (slash < 0) break;
  }
  const latest = Math.min(slash < 0 ? text.length : slash, limit - 1) - last.length;
  const start = latest < 0 ? -1 : text.lastIndexOf(last, latest);
  const found = start < 0 ? undefined : backwards(text, start, literals, names, true);
  return found && { end: start + last.length, values: found.values };
}
