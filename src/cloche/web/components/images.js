// @ts-check
import { make } from "../elements.js";

/** Pictures of which one is shown large. @param {HTMLElement} element */
export function images(element) {
  const buttons = /** @type {HTMLElement[]} */ ([...element.querySelectorAll("li button")]);
  const picture = make("img", { alt: "" });
  const caption = make("p");
  const close = make("button", { type: "button", onclick: () => dialog.close() }, "Close");
  const dialog = make("dialog", { class: "cc-large", "aria-label": "Picture" }, picture, caption, close);
  let at = 0;
  /** @param {number} number */
  const show = (number) => {
    at = (number + buttons.length) % buttons.length;
    const small = /** @type {HTMLImageElement} */ (buttons[at].querySelector("img"));
    picture.src = small.src;
    picture.alt = small.alt;
    caption.textContent = buttons[at].nextElementSibling?.textContent || small.alt;
    if (!dialog.open) dialog.showModal();
  };
  dialog.onkeydown = ({ key }) => {
    if (key === "ArrowRight") show(at + 1);
    if (key === "ArrowLeft") show(at - 1);
  };
  dialog.onclick = ({ target }) => target === dialog && dialog.close();
  dialog.onclose = () => buttons[at].focus();
  buttons.forEach((one, number) => one.onclick = () => show(number));
  element.append(dialog);
}
