// @ts-check
/** A button that copies the code. @param {HTMLElement} element */
export function code(element) {
  const button = /** @type {HTMLButtonElement | null} */ (element.querySelector("[data-copy]"));
  const text = element.querySelector("code")?.textContent ?? "";
  if (!button) return;
  button.hidden = false;
  button.onclick = async () => {
    button.textContent = await copied(text) ? "Copied" : "Not copied";
    setTimeout(() => button.textContent = "Copy", 2000);
  };
}

/** Views rarely may use the clipboard; then the older way works after a click. @param {string} text */
async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const place = document.createElement("textarea");
    place.value = text;
    place.style.position = "fixed";
    place.style.opacity = "0";
    document.body.append(place);
    place.select();
    const done = document.execCommand("copy");
    place.remove();
    return done;
  }
}
