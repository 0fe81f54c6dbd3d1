// @ts-check
/** @type {HTMLElement | undefined} */
let fontSheet;

/**
 * Dress the page as the host says: its theme, its style variables, its fonts.
 *
 * @param {import("./rpc.js").Params} context a host context, whole or in part
 */
export const applyAppearance = ({ theme, styles }) => {
  const { dataset, style } = document.documentElement;
  if (theme) dataset.theme = style.colorScheme = theme;
  for (const name in styles?.variables) if (/^--/.test(name)) style.setProperty(name, styles.variables[name]);
  if (styles?.css?.fonts) {
    (fontSheet ??= document.head.appendChild(document.createElement("style"))).textContent = styles.css.fonts;
  }
};
