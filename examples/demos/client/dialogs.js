// @ts-check
import { make } from "../../../src/cloche/web/elements.js";

/**
 * What the page asks the person, over everything else.
 *
 * @typedef {import("../../../src/cloche/web/frames/permissions.js").PermissionRequirement} PermissionRequirement
 */

/** @param {string} selector */
const dialogAt = (selector) => /** @type {HTMLDialogElement} */ (document.querySelector(selector));

/** The dialog with a server's own setup in a frame. */
export class SetupDialog {
  #dialog = dialogAt("#setup");
  #onCancel = () => {};

  constructor() {
    const cancel = /** @type {HTMLButtonElement} */ (document.getElementById("setup-cancel"));
    cancel.onclick = () => this.#onCancel();
    this.#dialog.oncancel = (event) => {
      event.preventDefault();
      this.#onCancel();
    };
  }

  /**
   * A frame in the dialog, which is shown once the server wants to be seen.
   *
   * @param {string} origin @param {() => void} onCancel
   */
  open(origin, onCancel) {
    this.#onCancel = onCancel;
    const frame = make("iframe", { title: `Setup of ${origin}` });
    const place = this.#dialog.querySelector(".place");
    const told = this.#dialog.querySelector(".origin");
    if (told) told.textContent = origin;
    place?.replaceChildren(frame);
    return frame;
  }

  /** @param {boolean} isVisible */
  show(isVisible) {
    if (isVisible && !this.#dialog.open) this.#dialog.showModal();
    if (!isVisible && this.#dialog.open) this.#dialog.close();
  }

  close() {
    this.show(false);
    this.#dialog.querySelector(".place")?.replaceChildren();
  }
}

/** What a permission is called, for a person. @type {Record<string, string>} */
const NAMES = {
  camera: "Use the camera",
  microphone: "Use the microphone",
  geolocation: "Know where you are",
  "clipboard-write": "Write to the clipboard",
  "clipboard-read": "Read the clipboard",
  "display-capture": "See your screen",
};

/**
 * Ask whether a server may use what it wants of the browser.
 *
 * @param {string} origin
 * @param {PermissionRequirement[]} wanted
 * @returns {Promise<boolean>}
 */
export function askPermission(origin, wanted) {
  const dialog = dialogAt("#consent");
  const [title, list] = [dialog.querySelector("h2"), dialog.querySelector("ul")];
  if (title) title.textContent = `${origin} asks to`;
  list?.replaceChildren(
    ...wanted.map(({ name, purpose, required }) =>
      make("li", {}, make("strong", {}, NAMES[name] ?? name), ` ${purpose}`, required ? "" : " (it works without)")
    ),
  );
  return new Promise((resolve) => {
    const settle = (/** @type {boolean} */ isAllowed) => {
      dialog.close();
      resolve(isAllowed);
    };
    for (const button of dialog.querySelectorAll("button")) button.onclick = () => settle(button.value === "yes");
    dialog.oncancel = () => settle(false);
    dialog.showModal();
  });
}
