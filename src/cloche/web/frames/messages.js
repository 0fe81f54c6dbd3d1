// @ts-check
/** The eight messages: which is which, and whether one looks as it must. */
import { isObject } from "../json.js";
import { misfit } from "../server/schema.js";
import { weigh } from "../transports/base.js";
import { SCHEMAS } from "./facts.js";

/** @typedef {Record<string, any> & {type: string}} FrameMessage */

/** Characters of the longest message that is not MCP's. */
const MESSAGE_LENGTH = 50_000;

/** @param {any} data */
export const isPostMessageProtocol = (data) => isObject(data) && /^MCP_/.test(data.type);
/** @param {any} data */
export const isSetupMessage = (data) => isPostMessageProtocol(data) && /^MCP_SETUP_(?!REQUIRED$)/.test(data.type);
/** @param {any} data */
export const isTransportMessage = (data) =>
  isPostMessageProtocol(data) && /^MCP_(TRANSPORT_|SETUP_REQUIRED$|MESSAGE$)/.test(data.type);
/** @param {any} data */
export const isMCPMessage = (data) => isPostMessageProtocol(data) && data.type === "MCP_MESSAGE";

/** Structured clone keeps members without a value, and JSON does not. @param {any} value @returns {any} */
const written = (value) =>
  Array.isArray(value) ? value.map(written) : isObject(value)
    ? Object.fromEntries(
      Object.entries(value).filter(([, one]) => one !== undefined)
        .map(([key, one]) => [key, written(one)]),
    )
    : value;

/**
 * A message, read: `message` when it looks as it must, else what is wrong with it as `flaw`. The payload of an
 * `MCP_MESSAGE` is not looked at: the transport does that, with its limits.
 *
 * @param {any} data
 * @returns {{message: FrameMessage, flaw: ""} | {message: undefined, flaw: string}}
 */
export function readMessage(data) {
  const { type } = data;
  if (!Object.hasOwn(SCHEMAS.$defs, type)) return { message: undefined, flaw: "it is none of the eight messages" };
  if (type === "MCP_MESSAGE") {
    const flaw = isObject(data.payload) ? "" : "payload must be object";
    return flaw ? { message: undefined, flaw } : { message: { type, payload: data.payload }, flaw: "" };
  }
  const known = Object.keys(SCHEMAS.$defs[type].properties).filter((name) => Object.hasOwn(data, name));
  const given = Object.fromEntries(known.map((name) => [name, data[name]]));
  const { flaw: unfit } = weigh(given, MESSAGE_LENGTH, false);
  if (unfit) return { message: undefined, flaw: unfit };
  const message = written(given);
  const flaw = misfit({ $ref: "#/$defs/" + type }, message, "", { root: SCHEMAS });
  return flaw ? { message: undefined, flaw } : { message, flaw };
}

/** What a message is for the lifecycle. @param {FrameMessage} message */
export const eventOf = ({ type, error, canContinue }) =>
  type + (error ? " with an error" : canContinue === false ? " that cannot continue" : "");
