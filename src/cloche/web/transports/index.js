// @ts-check
/** Every transport of the page. */
export * from "./base.js";
export * from "./event.js";
export * from "./port.js";
