// @ts-check
/** A transport over lines of JSON, as stdio has them. */
import { Transport } from "../../../src/cloche/web/transports/base.js";

export class LinesTransport extends Transport {
  /** @override */
  carriesBuffers = false;

  /**
   * @param {ReadableStream<Uint8Array<ArrayBuffer>>} readable
   * @param {WritableStream<Uint8Array<ArrayBuffer>>} writable
   * @param {import("../../../src/cloche/web/transports/base.js").TransportOptions} [options]
   */
  constructor(readable, writable, options) {
    super(options);
    this.writer = writable.getWriter();
    this.#read(readable);
  }

  /** @param {ReadableStream<Uint8Array<ArrayBuffer>>} readable */
  async #read(readable) {
    let rest = "";
    for await (const text of readable.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      lines.forEach((line) => this.#line(line));
    }
    this.ended();
  }

  /** @param {string} line */
  #line(line) {
    try {
      this.deliver(JSON.parse(line));
    } catch {
      this.dropped++;
    }
  }

  /** @override @param {import("../../../src/cloche/web/transports/base.js").Message} message */
  post(message) {
    this.put(JSON.stringify(message));
  }

  /** Any line. @param {string} line */
  put(line) {
    this.writer.write(new TextEncoder().encode(line + "\n")).catch(() => this.ended());
  }

  /** @override */
  release() {
    this.writer.close().catch(() => {});
  }
}
