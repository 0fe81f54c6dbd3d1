// @ts-check
/**
 * How the player finds an element again: by its id, its `data-testid` or its name where that is enough, else by the way
 * down to it. ` >> ` leads into a shadow tree.
 *
 * @param {Element} element
 * @returns {string}
 */
export function selectorOf(element) {
  const root = element.getRootNode();
  const own = within(element, /** @type {ParentNode} */ (/** @type {unknown} */ (root)));
  return root instanceof ShadowRoot ? `${selectorOf(root.host)} >> ${own}` : own;
}

/** Ids with many digits are made anew each time. */
const RANDOM = /\d{4}|[0-9a-f]{8}/;

/** @param {Element} element @param {ParentNode} root @returns {string} */
function within(element, root) {
  const tag = CSS.escape(element.localName);
  const named = [
    element.id && !RANDOM.test(element.id) ? `#${CSS.escape(element.id)}` : "",
    ...["data-testid", "name"].map((name) =>
      element.hasAttribute(name) ? `${tag}[${name}=${JSON.stringify(element.getAttribute(name))}]` : ""
    ),
  ];
  const unique = named.find((selector) => selector && root.querySelectorAll(selector).length === 1);
  if (unique) return unique;
  const parent = element.parentNode;
  if (!parent || parent.nodeType === 9) return tag;
  const step = `${tag}:nth-child(${[...parent.children].indexOf(element) + 1})`;
  return parent.nodeType === 1 ? `${within(/** @type {Element} */ (parent), root)} > ${step}` : step;
}
