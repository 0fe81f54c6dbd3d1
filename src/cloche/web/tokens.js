// @ts-check
/**
 * The style variables of MCP Apps, all 76, as this host has them when the page around it defines none of its own.
 * Nothing else in the host's page names a colour.
 */

/** @param {string} light @param {string} dark */
const both = (light, dark) => `light-dark(${light}, ${dark})`;

const COLORS = {
  background: {
    primary: both("#ffffff", "#1c1c1e"),
    secondary: both("#f5f5f4", "#2a2a2d"),
    tertiary: both("#ececea", "#363639"),
    inverse: both("#1c1c1e", "#f5f5f4"),
    ghost: both("#ffffff00", "#1c1c1e00"),
    info: both("#e8f0fe", "#1b2a44"),
    danger: both("#fdecea", "#44201d"),
    success: both("#e6f4ea", "#16301f"),
    warning: both("#fef5e0", "#3b2f12"),
    disabled: both("#f5f5f4", "#2a2a2d"),
  },
  text: {
    primary: both("#1a1a19", "#f2f2f0"),
    secondary: both("#5c5c58", "#b0b0ab"),
    tertiary: both("#6f6f6a", "#9a9a95"),
    inverse: both("#ffffff", "#1a1a19"),
    ghost: both("#5c5c58", "#b0b0ab"),
    info: both("#1d4fb8", "#9cc0ff"),
    danger: both("#b3261e", "#ff8a80"),
    success: both("#1b6e37", "#7fd99b"),
    warning: both("#7a5200", "#f2c14e"),
    disabled: both("#8e8e89", "#77777a"),
  },
  border: {
    primary: both("#d6d6d2", "#48484d"),
    secondary: both("#e6e6e3", "#3a3a3e"),
    tertiary: both("#efefed", "#303034"),
    inverse: both("#3a3a3e", "#d6d6d2"),
    ghost: both("#d6d6d200", "#48484d00"),
    info: both("#9dbdf7", "#345a9c"),
    danger: both("#b3261e", "#ff8a80"),
    success: both("#8ccda0", "#2f6b44"),
    warning: both("#e2bd62", "#7d6224"),
    disabled: both("#e6e6e3", "#3a3a3e"),
  },
  ring: {
    primary: both("#2f6fde", "#7fb0ff"),
    secondary: both("#8e8e89", "#8e8e93"),
    inverse: both("#ffffff", "#1c1c1e"),
    info: both("#2f6fde", "#7fb0ff"),
    danger: both("#b3261e", "#ff8a80"),
    success: both("#1b6e37", "#7fd99b"),
    warning: both("#9a6a00", "#f2c14e"),
  },
};

/** Size and line height in pixels. */
const TEXTS = { xs: [12, 16], sm: [13, 20], md: [14, 21], lg: [16, 24] };
const HEADINGS = {
  xs: [13, 18],
  sm: [14, 20],
  md: [16, 22],
  lg: [18, 24],
  xl: [21, 28],
  "2xl": [26, 32],
  "3xl": [32, 40],
};

/** @param {string} kind @param {Record<string, number[]>} sizes */
function fontSizes(kind, sizes) {
  return Object.entries(sizes).flatMap(([name, [size, line]]) => [
    [`--font-${kind}-${name}-size`, `${size}px`],
    [`--font-${kind}-${name}-line-height`, `${line}px`],
  ]);
}

/** @type {Record<string, string>} */
export const TOKENS = {
  ...Object.fromEntries(
    Object.entries(COLORS).flatMap(([role, shades]) =>
      Object.entries(shades).map(([shade, value]) => [`--color-${role}-${shade}`, value])
    ),
  ),
  "--font-sans": 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif',
  "--font-mono": "ui-monospace, SFMono-Regular, Menlo, Consolas, monospace",
  "--font-weight-normal": "400",
  "--font-weight-medium": "500",
  "--font-weight-semibold": "600",
  "--font-weight-bold": "700",
  ...Object.fromEntries(fontSizes("text", TEXTS)),
  ...Object.fromEntries(fontSizes("heading", HEADINGS)),
  "--border-radius-xs": "2px",
  "--border-radius-sm": "4px",
  "--border-radius-md": "6px",
  "--border-radius-lg": "8px",
  "--border-radius-xl": "12px",
  "--border-radius-full": "9999px",
  "--border-width-regular": "1px",
  "--shadow-hairline": `0 0 0 1px ${both("#0000000f", "#ffffff14")}`,
  "--shadow-sm": `0 1px 2px ${both("#0000001a", "#00000066")}`,
  "--shadow-md": `0 2px 8px ${both("#0000001f", "#00000080")}`,
  "--shadow-lg": `0 8px 24px ${both("#00000029", "#00000099")}`,
};
