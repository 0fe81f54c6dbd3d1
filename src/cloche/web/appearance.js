// @ts-check
/**
 * Dress the page as the host says: its theme, its style variables, its fonts.
 *
 * @param {Document} document
 * @param {import("./rpc.js").Params} context a host context, whole or in part
 */
export function applyAppearance(document, { theme, styles }) {
  const root = document.documentElement;
  if (theme === "light" || theme === "dark") {
    root.dataset.theme = theme;
    root.style.colorScheme = theme;
  }
  for (const [name, value] of Object.entries(styles?.variables ?? {})) {
    if (name.startsWith("--")) root.style.setProperty(name, /** @type {any} */ (value));
  }
  const fonts = styles?.css?.fonts;
  if (typeof fonts !== "string") return;
  const id = "cloche-fonts";
  const sheet = document.getElementById(id) ?? document.head.appendChild(document.createElement("style"));
  sheet.id = id;
  if (sheet.textContent !== fonts) sheet.textContent = fonts;
}
