export type McpClient = import("./client.js").McpClient;
export type Draw = (element: HTMLElement, props: any, about: {
    instance: string;
    component: string;
    version: number;
}) => void;
/**
 * Draw what the server renders into places of this page, now and whenever it changes.
 *
 * @param {McpClient} client
 * @param {Record<string, HTMLElement | string>} targets the element of each target, or a selector that finds it
 * @param {{renderers?: Record<string, Draw>, onError?: (error: Error) => void}} [options] `renderers` draw components by
 *   name, in place of the server's HTML
 * @returns {Promise<() => Promise<void>>} what ends it; what was drawn stays
 */
export declare function drawComponents(client: McpClient, targets: Record<string, HTMLElement | string>, { renderers, onError }?: {
    renderers?: Record<string, Draw>;
    onError?: (error: Error) => void;
}): Promise<() => Promise<void>>;
