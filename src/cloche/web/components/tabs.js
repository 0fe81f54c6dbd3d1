// @ts-check
/** Panels of which one is seen. The arrow keys lead from tab to tab. @param {HTMLElement} element */
export function tabs(element) {
  // Tabs may stand in a panel of others: only those that belong to this list are meant.
  const list = /** @type {HTMLElement} */ (element.querySelector("[role=tablist]"));
  const buttons = /** @type {HTMLElement[]} */ ([...list.children]);
  /** @param {HTMLElement} chosen */
  const select = (chosen) => {
    for (const one of buttons) {
      one.setAttribute("aria-selected", String(one === chosen));
      one.tabIndex = one === chosen ? 0 : -1;
      const panel =
        /** @type {HTMLElement | null} */ (element.querySelector(`[id="${one.getAttribute("aria-controls")}"]`));
      if (panel) panel.hidden = one !== chosen;
    }
  };
  for (const one of buttons) one.onclick = () => select(one);
  list.onkeydown = (event) => {
    const at = buttons.findIndex((one) => one.matches(":focus"));
    const next = {
      ArrowRight: (at + 1) % buttons.length,
      ArrowLeft: (at - 1 + buttons.length) % buttons.length,
      Home: 0,
      End: buttons.length - 1,
    }[event.key];
    if (at < 0 || next === undefined) return;
    event.preventDefault();
    select(buttons[next]);
    buttons[next].focus();
  };
  select(buttons[0]);
}
