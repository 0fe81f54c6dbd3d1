export type McpClient = import("./client.js").McpClient;
export type Preset = "display" | "form" | "stateful" | "full";
export type UIResourceOptions = {
    client?: McpClient;
    sandbox?: Preset;
    title?: string;
    autoResize?: boolean;
    input?: Record<string, any>;
    onLoad?: () => void;
    onError?: (error: Error) => void;
    onMessage?: (message: any) => void;
};
export type ShownUIResource = {
    frame: HTMLIFrameElement;
    close: () => void;
};
/**
 * What the frame may do. None has `allow-same-origin`: with it, and scripts, what is in the frame would be this page.
 * "stateful" keeps what the view says with `cloche.setState`; "full" opens windows and dialogs, saves files, and calls
 * the tools of `client` too.
 *
 * @type {Readonly<Record<Preset, string>>}
 */
export declare const SANDBOX_PRESETS: Readonly<Record<Preset, string>>;
/**
 * Show a UI resource inside an element of the page.
 *
 * @param {HTMLElement} element what was in it is replaced
 * @param {string | Record<string, any>} of a tool's result that embeds or names one, the content block itself, or, with
 *   `client`, a URI
 * @param {UIResourceOptions} [options]
 * @returns {ShownUIResource}
 */
export declare function showUIResource(element: HTMLElement, of: string | Record<string, any>, options?: UIResourceOptions): ShownUIResource;
