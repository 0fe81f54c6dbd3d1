// @ts-check
/**
 * As much of a page as the view runtime touches before it is laid out, and the window that embeds it. What needs a real
 * browser is tested in one.
 *
 * @typedef {{origin?: string, source?: unknown, reply?: (message: any) => any}} PageOptions
 */
export class Page {
  /** @type {any[]} what the view posted: [message, target origin] */
  posted = [];
  /** @type {[string, unknown][]} */
  events = [];
  /** @type {[string, any, any][]} */
  #listeners = [];
  #globals = /** @type {any} */ (globalThis);
  #added = globalThis.addEventListener;

  /** @param {PageOptions} [options] */
  constructor({ origin = "https://host.example", reply } = {}) {
    this.origin = origin;
    this.parent = {
      postMessage: (/** @type {any} */ message, /** @type {string} */ target) => {
        this.posted.push([message, target]);
        const answer = reply?.(message);
        if (answer) queueMicrotask(() => this.say({ id: message.id, ...answer }));
      },
    };
    const style = {
      setProperty: (/** @type {string} */ name, /** @type {string} */ value) => this.variables.set(name, value),
    };
    this.root = {
      dataset: /** @type {any} */ ({}),
      style: /** @type {any} */ (style),
      offsetHeight: 10,
    };
    /** @type {Map<string, string>} */
    this.variables = new Map();
    class Observer {
      observe() {}
    }
    const document = { readyState: "complete", documentElement: this.root, body: {}, all: [] };
    Object.assign(this.#globals, {
      window: globalThis,
      parent: this.parent,
      document,
      innerHeight: 10,
      innerWidth: 20,
    });
    Object.assign(this.#globals, {
      ResizeObserver: Observer,
      MutationObserver: Observer,
      requestAnimationFrame: () => 1,
    });
    globalThis.addEventListener = (/** @type {any} */ ...args) => {
      this.#listeners.push(args);
      this.#added.apply(globalThis, args);
    };
    for (
      const name of [
        "bridge:ready",
        "bridge:error",
        "bridge:teardown",
        "tool:input",
        "tool:input-partial",
        "tool:result",
        "tool:cancelled",
        "host:context",
      ]
    ) {
      addEventListener(name, (/** @type {any} */ { detail }) => this.events.push([name, detail]));
    }
  }

  /** @param {any} message what the host says */
  say(message, source = /** @type {unknown} */ (this.parent), origin = this.origin) {
    const data = structuredClone({ jsonrpc: "2.0", ...message });
    dispatchEvent(Object.assign(new Event("message"), { data, source, origin }));
  }

  /** @param {string} method @returns {any[]} what was posted under this method */
  sent(method) {
    return this.posted.map(([message]) => message).filter((message) => message.method === method);
  }

  /** The page is gone: nobody listens any more. */
  close() {
    for (const args of this.#listeners) removeEventListener(.../** @type {[any, any, any]} */ (args));
    globalThis.addEventListener = this.#added;
    for (const name of ["window", "parent", "document", "openai", "cloche", "FrontMcpBridge"]) {
      delete this.#globals[name];
    }
  }
}
