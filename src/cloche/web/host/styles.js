// @ts-check
import { TOKENS } from "../tokens.js";

/**
 * A variable of the page, or ours where it has none.
 *
 * @param {string} name
 */
const v = (name) => `var(--${name}, ${TOKENS[`--${name}`]})`;

const CSS = `
:host {
  display: block;
  position: relative;
  min-width: 0;
  margin-block: 8px;
}
:host([hidden]) { display: none; }
:host([theme="dark"]) { color-scheme: dark; }
:host([theme="light"]) { color-scheme: light; }

.panel {
  all: unset;
  box-sizing: border-box;
  position: relative;
  display: grid;
  grid-template: auto minmax(0, 1fr) auto / minmax(0, 1fr);
  width: 100%;
  overflow: clip; /* no scroller of its own: a question sticks to the window */
  border-radius: ${v("border-radius-lg")};
  color: ${v("color-text-primary")};
  font: ${v("font-text-md-size")}/${v("font-text-md-line-height")} ${v("font-sans")};
}
.panel.bordered {
  border: ${v("border-width-regular")} solid ${v("color-border-primary")};
}
.panel.large {
  position: fixed;
  inset: 0;
  width: 100vw;
  height: 100dvh;
  border: 0;
  border-radius: 0;
  background: ${v("color-background-primary")};
}
.panel::backdrop { background: ${v("color-background-primary")}; }

.bar {
  display: flex;
  align-items: center;
  min-width: 0;
  border-bottom: ${v("border-width-regular")} solid ${v("color-border-primary")};
  background: ${v("color-background-secondary")};
}
.panel:not(.bordered, .large) > .bar { border-bottom: 0; background: none; }
.panel:not(.large) > .bar :is(.name, .leave) { display: none; }
.large > .bar { gap: 12px; padding: 4px 8px 4px 16px; }
.whose { flex: 1; min-width: 0; }
.name {
  display: block;
  overflow: hidden;
  white-space: nowrap;
  text-overflow: ellipsis;
  font-weight: ${v("font-weight-semibold")};
}
.origin {
  display: flex;
  align-items: center;
  gap: 6px;
  min-width: 0;
  padding: 4px 12px;
  font-size: ${v("font-text-xs-size")};
  line-height: ${v("font-text-xs-line-height")};
  color: ${v("color-text-secondary")};
}
.panel:not(.bordered, .large) .origin { padding-inline: 0; }
.large > .bar .origin { padding: 0; }
.origin > svg { flex: none; width: 12px; height: 12px; }
.origin > span { overflow: hidden; white-space: nowrap; text-overflow: ellipsis; }
.origin strong { font-weight: ${v("font-weight-medium")}; color: ${v("color-text-primary")}; }

.stage, .loading, .problem, .shade { grid-area: 2 / 1; }
.stage { height: var(--height, 150px); }
.large > .stage { height: auto; }
[hidden] { display: none !important; }
/* Neither seen nor touched, and painted all the same: a browser gives a hidden frame less of its time. */
.stage[data-covered] > iframe { opacity: 0; pointer-events: none; }
.stage > iframe {
  display: block;
  width: 100%;
  height: 100%;
  border: 0;
  color-scheme: inherit;
}

.note {
  display: flex;
  flex-wrap: wrap;
  align-items: flex-start;
  gap: 12px;
  padding: 16px;
  background: ${v("color-background-secondary")};
}
.note > svg { flex: none; width: 16px; height: 16px; margin-top: 2px; }
.note > div { flex: 1 1 220px; min-width: 0; overflow-wrap: anywhere; }
.note p { margin: 0; }
.note p + p { color: ${v("color-text-secondary")}; }
.problem > svg, .danger { color: ${v("color-text-danger")}; }
.loading { z-index: 1; align-items: center; color: ${v("color-text-secondary")}; }
.loading > div { flex-basis: 0; }
.loading > svg { margin: 0; animation: turn 1s linear infinite; }
@keyframes turn { to { transform: rotate(360deg); } }
@media (prefers-reduced-motion: reduce) { .loading > svg { animation: none; } }

.lost {
  grid-area: 3 / 1;
  padding: 4px 16px;
  border-top: ${v("border-width-regular")} solid ${v("color-border-warning")};
  background: ${v("color-background-warning")};
  color: ${v("color-text-warning")};
  font-size: ${v("font-text-xs-size")};
}

.over {
  all: unset;
  position: fixed;
  inset: 0;
  color: ${v("color-text-primary")};
  font: ${v("font-text-md-size")}/${v("font-text-md-line-height")} ${v("font-sans")};
}
.over:not([open]) { display: none; }
.over > .shade { position: absolute; inset: 0; }

.shade {
  z-index: 2;
  display: flex;
  align-items: center;
  justify-content: center;
  padding: 12px;
  background: color-mix(in srgb, ${v("color-background-tertiary")} 75%, transparent);
}
.large > .shade, .over > .shade { overflow: auto; }
.question {
  box-sizing: border-box;
  position: sticky;
  inset-block: 12px;
  width: min(100%, 440px);
  margin: auto;
  padding: 16px;
  border: ${v("border-width-regular")} solid ${v("color-border-primary")};
  border-radius: ${v("border-radius-lg")};
  background: ${v("color-background-primary")};
  box-shadow: ${v("shadow-lg")};
}
.question:focus { outline: none; }
.question h2 {
  margin: 0 0 4px;
  font-size: ${v("font-heading-md-size")};
  line-height: ${v("font-heading-md-line-height")};
  font-weight: ${v("font-weight-semibold")};
  overflow-wrap: anywhere;
}
.question p { margin: 0 0 8px; color: ${v("color-text-secondary")}; overflow-wrap: anywhere; }
.question pre {
  box-sizing: border-box;
  max-height: 160px;
  margin: 0 0 8px;
  padding: 8px;
  overflow: auto;
  white-space: pre-wrap;
  overflow-wrap: anywhere;
  border-radius: ${v("border-radius-sm")};
  background: ${v("color-background-secondary")};
  font: ${v("font-text-xs-size")}/${v("font-text-xs-line-height")} ${v("font-mono")};
}
.question .row { display: flex; flex-wrap: wrap; align-items: center; gap: 8px; margin-top: 12px; }
.question .buttons { display: flex; flex-wrap: wrap; gap: 8px; margin-inline-start: auto; }
.question .buttons > button { flex: 1 1 auto; }
.question .time {
  flex: 1 1 auto;
  white-space: nowrap;
  font-size: ${v("font-text-xs-size")};
  color: ${v("color-text-secondary")};
  font-variant-numeric: tabular-nums;
}

button {
  flex: none;
  min-height: 32px;
  padding: 4px 12px;
  border: ${v("border-width-regular")} solid ${v("color-border-primary")};
  border-radius: ${v("border-radius-md")};
  background: ${v("color-background-primary")};
  color: ${v("color-text-primary")};
  font: inherit;
  cursor: pointer;
}
button:hover { background: ${v("color-background-tertiary")}; }
button:focus-visible { outline: 2px solid ${v("color-ring-primary")}; outline-offset: 2px; }
button.main {
  border-color: transparent;
  background: ${v("color-background-inverse")};
  color: ${v("color-text-inverse")};
}
button[aria-disabled="true"], button.main[aria-disabled="true"] {
  border-color: ${v("color-border-disabled")};
  background: ${v("color-background-disabled")};
  color: ${v("color-text-disabled")};
  cursor: default;
}
@media (forced-colors: active) {
  button[aria-disabled="true"] { border-color: GrayText; color: GrayText; }
}
`;

/** @type {CSSStyleSheet | undefined} */
let sheet;

/** One sheet for all elements, made by script: a page's `style-src` need not allow anything. */
export function styleSheet() {
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(CSS);
  }
  return sheet;
}

/**
 * An element with a class, an optional text, and children.
 *
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {string} className
 * @param {...(string | Node)} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function make(tag, className, ...children) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  made.append(...children);
  return made;
}

const SVG = "http://www.w3.org/2000/svg";

/**
 * A line-drawn icon of 16 pixels.
 *
 * @param {string} path
 */
export function icon(path) {
  const drawing = document.createElementNS(SVG, "svg");
  drawing.setAttribute("viewBox", "0 0 16 16");
  drawing.setAttribute("aria-hidden", "true");
  const line = document.createElementNS(SVG, "path");
  const looks = { d: path, fill: "none", stroke: "currentColor", "stroke-width": "1.5", "stroke-linecap": "round" };
  for (const [name, value] of Object.entries(looks)) line.setAttribute(name, value);
  drawing.append(line);
  return drawing;
}
