// @ts-check
/**
 * What a view wants that leads out of the page: a link, files. The person is asked beside the view, in words of this page,
 * and what the view wrote stands there as it is.
 *
 * @typedef {{text: string, details: string, accept: string}} Question
 */
import { isInWindowContext } from "../frames/inner-control.js";
import { openLink, safeLink, safeName, saveFiles } from "../host/actions.js";
import { make } from "../elements.js";
import { INVALID_PARAMS } from "../protocol.js";
import { RpcError } from "../rpc.js";

/** Characters of an address that are shown. */
const SHOWN = 500;
const FILES = 20;
/** Milliseconds in which a question takes no answer: a click that was meant for something else must not be one. */
const ARMED_AFTER = 600;

export class Asking {
  /** The question that is open, who asked it, and how it is taken back. @type {{by: object, answer: (yes: boolean) => void} | undefined} */
  #open;

  /** Called when a question has its answer. @type {() => void} */
  onClosed = () => {};

  /** @param {HTMLElement} place where questions stand */
  constructor(place) {
    this.place = place;
  }

  /** @param {object} by @param {unknown} url */
  async openLink(by, url) {
    const link = safeLink(url);
    if (!link) throw new RpcError(INVALID_PARAMS, "ui/open-link: only http and https addresses can be opened");
    const { href } = link;
    const details = href.length > SHOWN ? `${href.slice(0, SHOWN)} …` : href;
    const text = `The view wants to open a page of ${link.host}.`;
    if (!await this.#ask(by, { text, details, accept: "Open" })) return { isError: true };
    openLink(link);
    return {};
  }

  /** @param {object} by @param {unknown} contents */
  async saveFiles(by, contents) {
    const given = Array.isArray(contents) ? contents : [];
    const files = given.map(fileOf);
    if (!files.length || files.length > FILES) {
      throw new RpcError(INVALID_PARAMS, `ui/download-file: 1 to ${FILES} files can be saved at once`);
    }
    const details = files.map(({ name }) => safeName(name)).join(", ");
    if (!await this.#ask(by, { text: "The view wants to save:", details, accept: "Save" })) return { isError: true };
    saveFiles(files);
    return {};
  }

  /** Whether somebody is asked: nothing beside the question moves then. */
  get isOpen() {
    return !!this.#open;
  }

  /** Nobody waits for the answer any more. @param {object} by */
  forget(by) {
    if (this.#open?.by === by) this.#open.answer(false);
  }

  /** One question at a time: who asks while another is open is refused. @param {object} by @param {Question} question @returns {Promise<boolean>} */
  #ask(by, { text, details, accept }) {
    if (this.#open) return Promise.resolve(false);
    return new Promise((resolve) => {
      /** @param {boolean} yes */
      const answer = (yes) => {
        clearTimeout(timer);
        this.#open = undefined;
        element.remove();
        resolve(yes);
        this.onClosed();
      };
      const yes = make(
        "button",
        { type: "button", class: "main", disabled: true, onclick: () => answer(true) },
        accept,
      );
      const timer = setTimeout(() => yes.disabled = false, ARMED_AFTER);
      const no = make("button", { type: "button", onclick: () => answer(false) }, "Not now");
      // A frame of another page's often may not open windows, and nothing tells whether it could.
      const aside = isInWindowContext() && make("p", "about", "If nothing opens, copy the address.");
      const element = make(
        "div",
        { class: "question", role: "alertdialog", "aria-label": "The view asks" },
        make("p", {}, text),
        make("p", {}, make("code", {}, details)),
        accept === "Open" && aside,
        make("div", "actions", yes, no),
      );
      this.#open = { by, answer };
      this.place.append(element);
      element.scrollIntoView({ block: "nearest" });
    });
  }
}

/** @param {any} content @returns {import("../host/actions.js").File} */
function fileOf(content) {
  const { uri, mimeType, text, blob } = content?.type === "resource" ? content.resource ?? {} : {};
  if (typeof uri !== "string" || (typeof text !== "string" && typeof blob !== "string")) {
    throw new RpcError(INVALID_PARAMS, "ui/download-file: contents are resources with text or a blob");
  }
  const last = uri.split("/").pop() ?? "";
  return { name: decoded(last), mimeType, text, blob };
}

/** @param {string} text */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
