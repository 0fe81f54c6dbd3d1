// @ts-check
/** What client and server both know of the protocol. */

/** Versions that are spoken here, newest first. The first needs no handshake, the others begin with `initialize`. */
export const VERSIONS = ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05", "2024-10-07"];
export const STATELESS = VERSIONS[0];
/** What the protocol's own members of `_meta` begin with. */
export const META = "io.modelcontextprotocol/";
/** The extension by which a stream carries notifications of the server's own. */
export const OWN = "cloche/notifications";
export const LIST_CHANGED = /^notifications.(tools|prompts|resources).list_changed$/;
