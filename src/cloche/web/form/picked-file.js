// @ts-check
import { make } from "../elements.js";
import { empty, labelled } from "./fields.js";

/**
 * A file that a tool opens itself, in this page: the argument is its path there, and nothing of it is sent.
 *
 * @typedef {import("./fields.js").Field} Field
 * @typedef {((file: File) => string) & {takePicture?: () => Promise<File>}} Pick
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
  /** @param {() => Promise<File>} camera */
  const taken = async (camera) => {
    show("Taking a picture …");
    try {
      const file = await camera();
      path = pick(file);
      chooser.value = "";
      show(`${file.name}, ${file.size.toLocaleString("en")} bytes. It stays on this device.`);
    } catch (error) {
      show(String(/** @type {any} */ (error)?.message ?? error));
    }
  };
  const { takePicture } = pick;
  const isPicture = takePicture && /^image\//.test(schema.contentMediaType);
  const element = labelled(chooser, schema, place);
  chooser.after(about);
  if (isPicture) {
    const take = make("button", { type: "button", onclick: () => taken(takePicture) }, "Take a picture");
    chooser.after(make("div", "actions", take));
  }
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
