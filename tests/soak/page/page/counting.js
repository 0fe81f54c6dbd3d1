// @ts-check
/** Loaded before everything else: what the page has open, and who listens to its window. */
{
  const held = {
    /** @type {Map<string, Set<any>>} */
    listeners: new Map(),
    channels: new Set(),
    ports: new Set(),
    workers: new Set(),
  };
  const { addEventListener, removeEventListener } = EventTarget.prototype;

  /** @param {string} type @param {any} listener @param {any} options */
  EventTarget.prototype.addEventListener = function (type, listener, options) {
    if (this === globalThis) held.listeners.set(type, (held.listeners.get(type) ?? new Set()).add(listener));
    if (this === globalThis) {
      options?.signal?.addEventListener("abort", () => held.listeners.get(type)?.delete(listener));
    }
    if (this instanceof MessagePort) held.ports.add(this);
    return addEventListener.call(this ?? globalThis, type, listener, options);
  };
  /** @param {string} type @param {any} listener @param {any} options */
  EventTarget.prototype.removeEventListener = function (type, listener, options) {
    if (this === globalThis) held.listeners.get(type)?.delete(listener);
    return removeEventListener.call(this ?? globalThis, type, listener, options);
  };

  /** @param {string} name @param {string} end @param {Set<any>} open */
  const count = (name, end, open) => {
    const Kind = Reflect.get(globalThis, name);
    const Counted = class extends Kind {
      /** @param {any[]} args */
      constructor(...args) {
        super(...args);
        open.add(this);
      }
    };
    const ended = Kind.prototype[end];
    Kind.prototype[end] = function () {
      open.delete(this);
      return ended.call(this);
    };
    Reflect.set(globalThis, name, Counted);
  };
  count("BroadcastChannel", "close", held.channels);
  count("Worker", "terminate", held.workers);

  const closed = MessagePort.prototype.close;
  MessagePort.prototype.close = function () {
    held.ports.delete(this);
    return closed.call(this);
  };

  Reflect.set(globalThis, "counts", async () => {
    const { held: locks = [], pending = [] } = await navigator.locks.query();
    const listeners = [...held.listeners].map(([type, who]) => [type, who.size]).filter(([, size]) => size);
    return {
      listeners: Object.fromEntries(listeners),
      channels: held.channels.size,
      ports: held.ports.size,
      workers: held.workers.size,
      locks: [...locks, ...pending].length,
      frames: document.querySelectorAll("iframe").length,
    };
  });
}
