// @ts-check
import { isObject } from "./json.js";

/** @typedef {import("./rpc.js").Params} Params */

/** @param {any} content a text, or one or more content blocks @returns {Params[]} */
export const blocksOf = (content) => typeof content == "string" ? [{ type: "text", text: content }] : [content].flat();

/** @param {any} value what a tool gave: its result, or any value to be told as text @returns {Params} */
export const resultOf = (value) =>
  value?.content ? value : { content: blocksOf(String(isObject(value) ? JSON.stringify(value) : value)) };
