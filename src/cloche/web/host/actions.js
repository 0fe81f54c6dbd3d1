// @ts-check
/**
 * What a host lets a view have done on the page: open a link, save files.
 *
 * @typedef {{name?: string, mimeType?: string, text?: string, blob?: string}} File
 */

/**
 * A link as it may be opened, or `null`. The host has looked already; what reaches the person's browser is looked at
 * where it is opened.
 *
 * @param {unknown} url
 * @returns {URL | null}
 */
export function safeLink(url) {
  const parsed = typeof url === "string" && URL.canParse(url) ? new URL(url) : null;
  const isWeb = parsed?.protocol === "https:" || parsed?.protocol === "http:";
  return parsed && isWeb && !parsed.username && !parsed.password ? parsed : null;
}

/** The new page has no way back to this one. @param {URL} url */
export function openLink(url) {
  globalThis.open(url.href, "_blank", "noopener,noreferrer");
}

/** Names that Windows takes for devices. */
const DEVICES = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;
const LONGEST_NAME = 120;

/**
 * A name that is a file's name on every system and shows its true ending: no folders, no hidden files, no characters
 * that turn the direction of writing.
 *
 * @param {unknown} name
 */
export function safeName(name) {
  const last = String(name ?? "").split(/[/\\]/).pop() ?? "";
  // deno-lint-ignore no-control-regex
  const visible = last.replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff<>:"|?*]/g, "");
  const trimmed = visible.replace(/\s+/g, " ").replace(/^[\s.]+|[\s.]+$/g, "");
  const ending = /\.[^.]{1,16}$/.exec(trimmed)?.[0] ?? "";
  const short = trimmed.length > LONGEST_NAME
    ? trimmed.slice(0, LONGEST_NAME - ending.length).trimEnd() + ending
    : trimmed;
  return !short || DEVICES.test(short) ? `download${short && "-"}${short}` : short;
}

/** @param {File[]} files @param {(file: File) => void} [failed] hears of a file that is none */
export function saveFiles(files, failed) {
  for (const file of files) {
    const content = contentOf(file);
    if (content) save(content, safeName(file.name));
    else failed?.(file);
  }
}

/** @param {File} file @returns {Blob | null} */
function contentOf({ text, blob, mimeType }) {
  const type = /^[\w.+-]+\/[\w.+-]+$/.test(mimeType ?? "") ? mimeType : "application/octet-stream";
  if (typeof text === "string") return new Blob([text], { type });
  if (typeof blob !== "string") return null;
  try {
    return new Blob([Uint8Array.from(atob(blob), (character) => character.charCodeAt(0))], { type });
  } catch {
    return null;
  }
}

/** @param {Blob} content @param {string} name */
function save(content, name) {
  const anchor = document.createElement("a");
  anchor.href = URL.createObjectURL(content);
  anchor.download = name;
  anchor.click();
  // After the click has been taken: the browser reads it later.
  setTimeout(() => URL.revokeObjectURL(anchor.href), 60_000);
}
