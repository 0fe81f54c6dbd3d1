// @ts-check
import { make } from "../elements.js";

/** What arrives as base64, as bytes: to show, to open, to save. */

/** @param {string} data base64 @returns {Uint8Array<ArrayBuffer> | null} null when it is not base64 */
export function bytesOf(data) {
  try {
    const text = atob(data), bytes = new Uint8Array(text.length);
    for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
    return bytes;
  } catch {
    return null;
  }
}

/** Endings of files, where the kind does not say it. @type {Record<string, string>} */
const ENDINGS = { "text/plain": "txt", "image/jpeg": "jpg", "audio/mpeg": "mp3", "image/svg+xml": "svg" };

/** The name to save something under. @param {string} uri @param {string} type */
export function fileName(uri, type) {
  const last = uri.split(/[?#]/)[0].split("/").filter(Boolean).pop() ?? "";
  const plain = last.replaceAll(/[^\w.-]/g, "_").slice(-80) || "file";
  const ending = ENDINGS[type] ?? type.split(/[/;+]/)[1]?.replaceAll(/[^a-z0-9]/g, "") ?? "bin";
  return /\.\w{1,8}$/.test(plain) ? plain : `${plain}.${ending || "bin"}`;
}

/** Saves a file. Its type is never one that a browser would open as a page. @param {BlobPart} content @param {string} name */
export function saveFile(content, name) {
  const url = URL.createObjectURL(new Blob([content], { type: "application/octet-stream" }));
  make("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/**
 * A button that saves a file.
 *
 * @param {BlobPart | (() => BlobPart)} content made when it is saved, where it is a function
 * @param {string} type @param {string} name
 */
export function saveButton(content, type, name) {
  const onclick = () => saveFile(typeof content === "function" ? content() : content, name);
  return make("button", { type: "button", class: "small", title: `${name}, ${type}`, onclick }, "Save");
}

/** A button that copies what `text` gives, and says so. @param {() => string | Promise<string>} text @param {string} [label] */
export function copyButton(text, label = "Copy") {
  const button = make("button", { type: "button", class: "small" }, label);
  button.onclick = async () => {
    try {
      await navigator.clipboard.writeText(await text());
      button.textContent = "Copied";
    } catch (error) {
      const { name, message } = /** @type {Error} */ (error);
      button.textContent = name === "NotAllowedError" ? "The browser refused" : message;
    }
    setTimeout(() => button.textContent = label, 1500);
  };
  return button;
}
