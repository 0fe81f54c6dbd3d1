/**
 * Dress the page as the host says: its theme, its style variables, its fonts.
 *
 * @param {import("./rpc.js").Params} context a host context, whole or in part
 */
export declare const applyAppearance: ({ theme, styles }: import("./rpc.js").Params) => void;
