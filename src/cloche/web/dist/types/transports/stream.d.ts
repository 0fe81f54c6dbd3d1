export type Message = import("./base.js").Message;
/** Whether a notification came by a stream. @param {string} id @param {Message} told */
export declare const isOf: (id: string, { _meta }: Message) => boolean;
/**
 * Open a stream. Resolves when it stands, and rejects when the server refuses it. One that stood and broke off is opened
 * again, until `signal` is aborted or the server refuses; then `onLost` is called.
 *
 * @param {import("./base.js").Transport} transport
 * @param {Message} params what `subscriptions/listen` asks for
 * @param {{id: string, signal: AbortSignal, timeout: number, onLost?: (error: any) => void}} options
 * @returns {Promise<void>}
 */
export declare const openStream: (transport: import("./base.js").Transport, params: Message, options: {
    id: string;
    signal: AbortSignal;
    timeout: number;
    onLost?: (error: any) => void;
}) => Promise<void>;
