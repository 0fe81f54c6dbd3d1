// @ts-check
/** @type {HTMLElement | undefined} */
let fontSheet;

/**
 * Dress the page as the host says: its theme, its style variables, its fonts.
 *
 * @param {import("./rpc.js").Params} context a host context, whole or in part
 */
export function applyAppearance({ theme, styles }) {
  const root = document.documentElement;
  if (theme) root.dataset.theme = root.style.colorScheme = theme;
  for (const [name, value] of Object.entries(styles?.variables ?? {})) {
    if (/^--/.test(name)) root.style.setProperty(name, String(value));
  }
  const fonts = styles?.css?.fonts;
  if (!fonts) return;
  fontSheet ??= document.head.appendChild(document.createElement("style"));
  fontSheet.textContent = fonts;
}
