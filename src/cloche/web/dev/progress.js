// @ts-check
import { make } from "../elements.js";

/** How far a call has come, as its server says: a bar where it knows how much there is, else what it has done. */
export class ProgressBar {
  constructor() {
    this.bar = make("progress", { "aria-label": "Progress" });
    this.text = make("span", "about");
    this.element = make("div", { class: "progress", hidden: true }, this.bar, this.text);
  }

  clear() {
    this.element.hidden = true;
  }

  /** @param {{progress?: number, total?: number | null, message?: string | null}} told */
  show({ progress = 0, total, message }) {
    this.element.hidden = false;
    const isKnown = typeof total === "number" && total > 0;
    if (isKnown) this.bar.max = total;
    if (isKnown) this.bar.value = Math.min(progress, total);
    else this.bar.removeAttribute("value");
    const amount = isKnown ? `${Math.floor(100 * Math.min(progress / total, 1))} %` : String(progress);
    this.text.textContent = [amount, message].filter(Boolean).join(" · ");
  }
}
