import { GenericAdapter } from "./generic.js";
export type Params = import("./rpc.js").Params;
/**
 * ChatGPT's `window.openai`: what it offers, under the names of MCP Apps.
 *
 * @typedef {import("./rpc.js").Params} Params
 */
export declare class OpenAiAdapter extends GenericAdapter {
    /** @override */
    name: string;
    /** @override */
    canHandle(): boolean;
    /** @override */
    host(): {
        hostCapabilities: {
            serverTools: {};
            openLinks: {};
            message: {};
            updateModelContext: {};
            experimental: {
                "cloche/state": {};
            };
        };
        hostContext: import("./json.js").Params;
    };
}
