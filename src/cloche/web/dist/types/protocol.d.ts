/** What client and server both know of the protocol. */
/** Versions that are spoken here, newest first. The first needs no handshake, others begin with `initialize`. */
export declare const VERSIONS: string[];
/** The version whose requests say themselves who asks. */
export declare const STATELESS = "2026-07-28";
/** The newest version that begins with `initialize`. */
export declare const LATEST_HANDSHAKE = "2025-11-25";
/** The newest version of MCP Apps. */
export declare const APPS_VERSION = "2026-01-26";
/** The versions of MCP Apps with the current names. */
export declare const APPS_VERSIONS: string[];
/** Methods that may be answered with a question. */
export declare const MAY_ASK: string[];
/** What the protocol's own members of `_meta` begin with. */
export declare const META = "io.modelcontextprotocol/";
/** The extension by which a stream carries notifications of the server's own. */
export declare const OWN = "cloche/notifications";
/** From the least to the most important. */
export declare const LOG_LEVELS: string[];
/** Both names of a cancellation. */
export declare const CANCELLED_METHODS: string[];
/** Both names of the end of the handshake. */
export declare const INITIALIZED_METHODS: string[];
/** The longest message, in characters, unless a transport is told otherwise. */
export declare const MAX_LENGTH = 16777216;
/** How many lists and objects of a message may stand in each other. */
export declare const MAX_DEPTH = 256;
/** The longest URI, in characters. */
export declare const MAX_URI = 8192;
/** Requests of one peer that may be under way at the same time. */
export declare const MAX_IN_FLIGHT = 256;
/** Resources that one session or stream may subscribe to. */
export declare const MAX_SUBSCRIPTIONS = 1000;
/** Suggestions that one completion may carry. */
export declare const MAX_COMPLETIONS = 100;
/** How often one request may come back with a question. */
export declare const MAX_ROUNDS = 20;
/** Entries on one page of a list, unless a server is told otherwise. */
export declare const PAGE_SIZE = 500;
/** The longest text of an error, in characters. */
export declare const ERROR_TEXT_LIMIT = 700;
/** Milliseconds that a request waits for its answer, unless the call says otherwise. */
export declare const ANSWER_TIMEOUT = 30000;
/** Milliseconds that a client may take to answer a question of a server. */
export declare const ASK_TIMEOUT = 600000;
/** Milliseconds for which a call that was answered with a question can be repeated. */
export declare const STATE_TIMEOUT = 3600000;
/** The notification of a changed list, and which. */
export declare const LIST_CHANGED: RegExp;
export declare const PARSE_ERROR = -32700;
export declare const INVALID_REQUEST = -32600;
export declare const METHOD_NOT_FOUND = -32601;
export declare const INVALID_PARAMS = -32602;
export declare const INTERNAL_ERROR = -32603;
export declare const CONNECTION_CLOSED = -32000;
export declare const REQUEST_TIMEOUT = -32001;
export declare const RESOURCE_NOT_FOUND = -32002;
export declare const FORBIDDEN = -32003;
export declare const HEADER_MISMATCH = -32020;
export declare const MISSING_CAPABILITY = -32021;
export declare const UNSUPPORTED_VERSION = -32022;
export declare const URL_ELICITATION_REQUIRED = -32042;
/** The version that brought each of what not every version has. */
export declare const SINCE: {
    annotations: string;
    audio: string;
    completions: string;
    icons: string;
    item_meta: string;
    links: string;
    structured: string;
    titles: string;
};
