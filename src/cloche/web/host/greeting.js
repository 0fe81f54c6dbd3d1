// @ts-check
import * as dialects from "../dialects.js";
import { APPS_VERSIONS } from "../protocol.js";

/**
 * What the page answers when a view says hello (`ui/initialize`), from what the host gave it beforehand.
 *
 * @typedef {Record<string, any>} Params
 */

/** Legacy names of what views say, and the current ones. @type {Map<string, string>} */
const CURRENT_NAMES = new Map([
  ...Object.entries(dialects.toHost).map(([now, legacy]) => /** @type {[string, string]} */ ([legacy, now])),
  ...Object.entries(dialects.hostReads),
]);

/** The method of a message of a view, by its current name. @param {any} message @returns {string | undefined} */
export function methodOf({ method }) {
  return CURRENT_NAMES.get(method) ?? method;
}

/**
 * The answer to `ui/initialize`.
 *
 * @param {{initialize: Params, limits?: Params, profile?: any}} packet
 * @param {Params} context how the page looks
 * @param {Params} params what the view said of itself
 */
export function greetingOf({ initialize, limits, profile }, context, params) {
  const size = { ...context.containerDimensions };
  if (size.height === undefined && limits?.maxHeight) size.maxHeight = limits.maxHeight;
  const hostContext = { ...initialize.hostContext, ...context, containerDimensions: size };
  /** @type {Params} */
  const result = { ...initialize, hostContext };
  if (!APPS_VERSIONS.includes(params.protocolVersion)) result.hostCapabilities = withOlderFlags(initialize);
  return profile ? withProfile(result, profile) : result;
}

/**
 * For a view of the legacy dialects: what this host can do, in their flags. Current views never get them: the official
 * library refuses a host that says `logging: true`.
 *
 * @param {Params} initialize
 */
function withOlderFlags({ hostCapabilities, hostContext }) {
  const flags = Object.entries(dialects.capabilities).filter(([, now]) => now in hostCapabilities);
  return {
    ...hostCapabilities,
    ...Object.fromEntries(flags.map(([legacy]) => [legacy, true])),
    displayModes: hostContext.availableDisplayModes ?? ["inline"],
  };
}

/**
 * The answer as another host would give it, when views are tried as they are there.
 *
 * @param {Params} result
 * @param {{context: Params, withoutContext: string[], omits: string[]}} profile
 */
function withProfile({ hostContext, ...result }, { context, withoutContext, omits }) {
  const without = (/** @type {Params} */ given, /** @type {string[]} */ names) =>
    Object.fromEntries(Object.entries(given).filter(([name]) => !names.includes(name)));
  return without({ ...result, hostContext: { ...without(hostContext, withoutContext), ...context } }, omits);
}
