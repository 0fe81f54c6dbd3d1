// @ts-check
import { make } from "../elements.js";
import { empty, FormError, labelled } from "./fields.js";

/**
 * Bytes, which travel as base64: chosen as a file, or written as base64 by those who have it.
 *
 * @typedef {import("./fields.js").Field} Field
 */

/** Bytes of the largest file: what the page sends in one message has room for it as base64. */
const LARGEST = 2_900_000;

/** @param {import("./schema.js").Schema} schema @param {import("./fields.js").Place} place @returns {Field} */
export function fileField(schema, place) {
  const text = make("textarea", { rows: 1, class: "lines code", placeholder: "base64", spellcheck: false });
  const chooser = make("input", { type: "file", "aria-label": `File for ${schema.title ?? place.name}` });
  if (schema.contentMediaType) chooser.accept = schema.contentMediaType;
  const about = make("span", { class: "about", role: "status" });
  text.value = schema.default ?? "";
  chooser.onchange = async () => {
    const [file] = chooser.files ?? [];
    if (!file) return;
    about.textContent = file.size > LARGEST
      ? `${file.name} is larger than ${LARGEST / 1e6} MB.`
      : `Reading ${file.name} …`;
    if (file.size > LARGEST) return;
    text.value = await base64Of(file);
    about.textContent = `${file.name}, ${file.size} bytes`;
  };
  text.oninput = () => about.textContent = "";
  const element = labelled(text, schema, place);
  element.insertBefore(make("div", "actions", chooser, about), text);
  return {
    element,
    read: () => {
      const value = text.value.replaceAll(/\s/g, "");
      if (value === "") return empty(text, place);
      if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(value)) throw new FormError("Choose a file, or write base64", text);
      return value;
    },
    write: (value) => text.value = value ?? "",
  };
}

/** @param {File} file @returns {Promise<string>} */
function base64Of(file) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).split(",")[1] ?? "");
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}
