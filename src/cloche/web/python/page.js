// @ts-check
/** What the page hands over to Python, as `cloche_web`. In a bundle it is one file, with all that it needs in it. */
export * from "../transports/index.js";
export { openStorageOfTexts } from "../storage.js";
