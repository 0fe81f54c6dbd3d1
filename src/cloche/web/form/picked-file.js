// @ts-check
import { make } from "../elements.js";
import { empty, labelled } from "./fields.js";

/**
 * A file that a tool opens itself, in this page: the argument is its path there, and nothing of it is sent.
 *
 * @typedef {import("./fields.js").Field} Field
 * @typedef {(file: File) => string} Pick
 */

/**
 * @param {import("./schema.js").Schema} schema
 * @param {import("./fields.js").Place} place
 * @param {Pick} pick
 * @returns {Field}
 */
export function pickedFileField(schema, place, pick) {
  const chooser = make("input", { type: "file" });
  if (schema.contentMediaType) chooser.accept = schema.contentMediaType;
  const about = make("span", { class: "about", role: "status" });
  let path = "";
  const show = (/** @type {string} */ text) => about.textContent = text;
  chooser.onchange = () => {
    const [file] = chooser.files ?? [];
    path = file ? pick(file) : "";
    show(file ? `${file.size.toLocaleString("en")} bytes. It stays on this device.` : "");
  };
  const element = labelled(chooser, schema, place);
  chooser.after(about);
  return {
    element,
    read: () => path || empty(chooser, place),
    write: (value) => {
      path = value ?? "";
      if (!path) chooser.value = "";
      show(path.slice(path.lastIndexOf("/") + 1));
    },
  };
}
