// @ts-check
// Written by tools/protocol_facts.py from what Python knows: change that, then run `make web`.
/** What client and server both know of the protocol. */
/** Versions that are spoken here, newest first. The first needs no handshake, others begin with `initialize`. */
export const VERSIONS = ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05", "2024-10-07"];
/** The version whose requests say themselves who asks. */
export const STATELESS = "2026-07-28";
/** The newest version that begins with `initialize`. */
export const LATEST_HANDSHAKE = "2025-11-25";
/** The newest version of MCP Apps. */
export const APPS_VERSION = "2026-01-26";
/** The versions of MCP Apps with the current names. */
export const APPS_VERSIONS = ["2026-01-26", "2025-11-21"];
/** Methods that may be answered with a question. */
export const MAY_ASK = ["prompts/get", "resources/read", "tools/call"];
/** What the protocol's own members of `_meta` begin with. */
export const META = "io.modelcontextprotocol/";
/** The extension by which a stream carries notifications of the server's own. */
export const OWN = "cloche/notifications";
/** From the least to the most important. */
export const LOG_LEVELS = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];
/** Both names of a cancellation. */
export const CANCELLED_METHODS = ["$/cancelRequest", "notifications/cancelled"];
/** Both names of the end of the handshake. */
export const INITIALIZED_METHODS = ["initialized", "notifications/initialized"];
/** The longest message, in characters, unless a transport is told otherwise. */
export const MAX_LENGTH = 16777216;
/** How many lists and objects of a message may stand in each other. */
export const MAX_DEPTH = 256;
/** The longest URI, in characters. */
export const MAX_URI = 8192;
/** Requests of one peer that may be under way at the same time. */
export const MAX_IN_FLIGHT = 256;
/** Resources that one session or stream may subscribe to. */
export const MAX_SUBSCRIPTIONS = 1000;
/** Suggestions that one completion may carry. */
export const MAX_COMPLETIONS = 100;
/** How often one request may come back with a question. */
export const MAX_ROUNDS = 20;
/** Entries on one page of a list, unless a server is told otherwise. */
export const PAGE_SIZE = 500;
/** The longest text of an error, in characters. */
export const ERROR_TEXT_LIMIT = 700;
/** Milliseconds that a request waits for its answer, unless the call says otherwise. */
export const ANSWER_TIMEOUT = 30000;
/** Milliseconds that a client may take to answer a question of a server. */
export const ASK_TIMEOUT = 600000;
/** Milliseconds for which a call that was answered with a question can be repeated. */
export const STATE_TIMEOUT = 3600000;
/** The notification of a changed list, and which. */
export const LIST_CHANGED = /^notifications.(tools|prompts|resources).list_changed$/;
export const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;
export const INTERNAL_ERROR = -32603;
export const CONNECTION_CLOSED = -32000;
export const REQUEST_TIMEOUT = -32001;
export const RESOURCE_NOT_FOUND = -32002;
export const FORBIDDEN = -32003;
export const HEADER_MISMATCH = -32020;
export const MISSING_CAPABILITY = -32021;
export const UNSUPPORTED_VERSION = -32022;
export const URL_ELICITATION_REQUIRED = -32042;
/** The version that brought each of what not every version has. */
export const SINCE = {
  annotations: "2025-03-26",
  audio: "2025-03-26",
  completions: "2025-03-26",
  icons: "2025-11-25",
  item_meta: "2025-06-18",
  links: "2025-06-18",
  structured: "2025-06-18",
  titles: "2025-06-18",
};
