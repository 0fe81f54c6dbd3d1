/**
 * Tell the host how tall the page wants to be, now and whenever that changes.
 *
 * @param {(size: {width: number, height: number}) => void} send
 * @returns {() => void} look again, and send even what was sent before
 */
export declare const watchSize: (send: (size: {
    width: number;
    height: number;
}) => void) => () => void;
