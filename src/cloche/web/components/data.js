// @ts-check
/** The data that came with a component. @param {Element} element @param {string} kind @returns {any} */
export function dataOf(element, kind) {
  const script = element.querySelector(`script[data-kind=${kind}]`);
  return script && JSON.parse(script.textContent ?? "null");
}
