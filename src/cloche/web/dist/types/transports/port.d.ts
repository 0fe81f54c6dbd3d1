/** Workers and ports: whoever holds the other end is the peer, so there is no origin to look at. */
import { Transport } from "./base.js";
export type PortOptions = import("./base.js").TransportOptions;
/**
 * A transport on a Worker, a MessagePort, a SharedWorker, or inside a worker on `self`.
 *
 * @typedef {import("./base.js").TransportOptions} PortOptions
 */
export declare class PortTransport extends Transport {
    target: any;
    /** @param {any} [target] @param {PortOptions} [options] */
    constructor(target?: any, options?: PortOptions);
    /** Let the other side, which knows how to listen, notice when this page or worker is gone. */
    announce(): void;
    /** @override @param {any} data */
    take(data: any): void;
    /** @override @param {unknown} data @param {Transferable[]} [transfer] */
    say(data: unknown, transfer?: Transferable[]): void;
    /** @override */
    release(): void;
}
/**
 * In a SharedWorker: a transport for every page that connects.
 *
 * @param {(transport: PortTransport) => void} onTransport
 * @param {PortOptions} [options]
 */
export declare function listenForPorts(onTransport: (transport: PortTransport) => void, options?: PortOptions): () => void;
