// @ts-check
/**
 * The document as text, one node per line, so that two of them can be compared and the first difference read. It has
 * what a person can tell apart: elements, attributes in the order of their names, texts, open shadow trees, and the
 * state of fields, which no HTML has. Scripts are left out, and what was typed into a password field. Whole in one
 * function, because its text is put in front of the view.
 *
 * @param {Element} root
 * @param {number} limit characters
 * @returns {string}
 */
export function serialise(root, limit) {
  /** @type {string[]} */
  const lines = [];
  let length = 0;
  /** @param {number} depth @param {string} text */
  const write = (depth, text) => {
    const line = " ".repeat(depth) + text;
    length += line.length + 1;
    if (length <= limit) lines.push(line);
  };
  /** Addresses of blobs are made of chance. @param {string} text */
  const steady = (text) => JSON.stringify(text.replace(/blob:[^\s"')]+/g, "blob:"));
  /** @param {any} field */
  const state = (field) => {
    const kind = field.localName === "input" ? field.type : field.localName;
    if (kind === "password" || kind === "file") return "";
    if (kind === "checkbox" || kind === "radio") return field.checked ? " :checked" : "";
    if (kind === "option") return field.selected ? " :selected" : "";
    return field.localName === "input" || kind === "textarea" ? ` :value=${steady(field.value)}` : "";
  };
  /** @param {Element} element */
  const tag = (element) => {
    const isField = element.localName === "input";
    const attributes = [...element.attributes]
      .filter(({ name }) => name !== "nonce" && !(isField && name === "value"))
      .map(({ name, value }) => ` ${name}=${steady(value)}`);
    return `<${element.localName}${attributes.sort().join("")}${state(element)}>`;
  };
  /** @param {Node} node @param {number} depth */
  const visit = (node, depth) => {
    if (node.nodeType === 3) {
      const text = (node.nodeValue ?? "").replace(/\s+/g, " ").trim();
      if (text) write(depth, steady(text));
    }
    if (node.nodeType !== 1 || length > limit) return;
    const element = /** @type {Element} */ (node);
    if (element.localName === "script") return;
    write(depth, tag(element));
    if (element.shadowRoot) {
      write(depth + 1, "#shadow");
      for (const child of element.shadowRoot.childNodes) visit(child, depth + 2);
    }
    if (element.localName === "textarea") return;
    for (const child of element.childNodes) visit(child, depth + 1);
  };
  visit(root, 0);
  return (length > limit ? [...lines, "… and more"] : lines).join("\n");
}
