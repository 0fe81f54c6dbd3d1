// @ts-check
/**
 * What handlers return, as the protocol wants it, in the version that the client speaks; and the refusal of parameters.
 *
 * @typedef {Record<string, any>} Params
 */
import { INVALID_PARAMS, MAX_DEPTH, SINCE, STATELESS } from "../protocol.js";
import { isObject } from "../json.js";
import { RpcError } from "../rpc.js";

/** @type {Record<string, string>} The version that brought a member of tools, resources, prompts and contents. */
const MEMBER_SINCE = {
  annotations: SINCE.annotations,
  title: SINCE.titles,
  _meta: SINCE.item_meta,
  outputSchema: SINCE.structured,
  icons: SINCE.icons,
};
const CONTENT_SINCE = { audio: SINCE.audio, resource_link: SINCE.links };

/** An entry of a list, with what this version knows. @param {Params} entry @param {string} version */
export function listed(entry, version) {
  const shown = Object.fromEntries(
    Object.entries(entry).filter(([key, value]) => value !== undefined && !(MEMBER_SINCE[key] > version)),
  );
  if (shown.outputSchema && !isObjectSchema(shown.outputSchema) && version < STATELESS) {
    shown.outputSchema = { type: "object", properties: { result: shown.outputSchema }, required: ["result"] };
  }
  return shown;
}

/** @param {Params} schema */
const isObjectSchema = (schema) => schema.type == "object";

/**
 * What a tool returned: a whole result (`{content: […]}`), a text, or a value that is given as JSON.
 *
 * @param {any} value
 * @param {string} version
 * @param {Params} [outputSchema]
 * @returns {Params}
 */
export function toolResult(value, version, outputSchema) {
  if (isObject(value) && Array.isArray(value.content)) {
    const { content, structuredContent, isError = false, _meta } = value;
    return { content: contents(content, version), ...structured(structuredContent, version), isError, _meta };
  }
  if (typeof value == "string" && !outputSchema) return { content: [text(value)], isError: false };
  if (value === undefined) return { content: [], isError: false };
  const shown = typeof value == "string" ? value : JSON.stringify(value, readable);
  return { content: [text(shown)], ...structured(value, version, outputSchema), isError: false };
}

/** @param {any} value @param {string} version @param {Params} [schema] */
function structured(value, version, schema) {
  if (value === undefined || version < SINCE.structured) return {};
  const whole = version == STATELESS || isObject(value) && (!schema || isObjectSchema(schema));
  return { structuredContent: whole ? value : { result: value } };
}

/** @param {string} text */
export const text = (text) => ({ type: "text", text });

/** @param {any[]} blocks @param {string} version */
function contents(blocks, version) {
  return blocks.map((block) => {
    if (typeof block == "string") return text(block);
    const since = CONTENT_SINCE[/** @type {"audio"} */ (block?.type)];
    return since > version ? text(block.uri ?? `[${block.type}]`) : block;
  });
}

/**
 * What the function of a resource returned: contents as they are, a text, bytes, or a value that is given as JSON.
 *
 * @param {any} value
 * @param {string} uri
 * @param {string} [mimeType]
 */
export function resourceResult(value, uri, mimeType) {
  if (isObject(value) && Array.isArray(value.contents)) {
    return { contents: value.contents.map((/** @type {Params} */ part) => ({ uri, mimeType, ...part })) };
  }
  if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) {
    return { contents: [{ uri, mimeType: mimeType ?? "application/octet-stream", blob: base64(value) }] };
  }
  if (typeof value == "string") return { contents: [{ uri, mimeType: mimeType ?? "text/plain", text: value }] };
  return {
    contents: [{ uri, mimeType: mimeType ?? "application/json", text: JSON.stringify(value ?? null, readable) }],
  };
}

/** In a text bytes are base64, where JSON would make them nothing. @param {string} _ @param {any} value */
const readable = (_, value) => value instanceof ArrayBuffer || ArrayBuffer.isView(value) ? base64(value) : value;

/** @param {ArrayBuffer | ArrayBufferView} data */
function base64(data) {
  const bytes = data instanceof ArrayBuffer
    ? new Uint8Array(data)
    : new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  let binary = "";
  // In pieces, because a call takes only so many arguments.
  for (let at = 0; at < bytes.length; at += 8192) binary += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(binary);
}

/**
 * What the function of a prompt returned: messages, or the user's text.
 *
 * @param {any} value
 * @param {string} version
 * @param {string} [description]
 */
export function promptResult(value, version, description) {
  const given = [Array.isArray(value?.messages) ? value.messages : value].flat();
  const messages = given.map((/** @type {any} */ item) =>
    isObject(item) && item.role ? item : { role: "user", content: typeof item == "string" ? text(item) : item }
  );
  for (const message of messages) [message.content] = contents([message.content], version);
  return { description: value?.description ?? description, messages };
}

/**
 * A copy as JSON would have it, so that a date, a proxy or a member without a value never leaves; buffers stay what they
 * are.
 *
 * @param {any} value
 * @param {number} [depth]
 * @returns {any}
 */
export const plain = (value, depth = 0) => {
  value = value?.toJSON?.() ?? value;
  // What is deeper cannot be sent, and may have no end.
  if (depth > MAX_DEPTH) return value;
  if (Array.isArray(value)) return value.map((one) => plain(one, depth + 1) ?? null);
  if (!isObject(value)) return typeof value == "function" ? undefined : value;
  return Object.fromEntries(
    Object.keys(value).map((key) => [key, plain(value[key], depth + 1)]).filter(([, one]) => one !== undefined),
  );
};

/** The error of a request whose parameters are wrong. @param {string} message */
export const invalidParams = (message) => new RpcError(INVALID_PARAMS, message);
