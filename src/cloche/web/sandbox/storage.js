// @ts-check
/**
 * A view's origin is opaque, so `localStorage` and `sessionStorage` throw. Many views expect them and would stay blank:
 * these keep what is written in memory, for as long as the view lives. Whole in one function, because its text is put
 * in front of the view.
 *
 * @param {any} scope the view's window
 */
export function installStorage(scope) {
  const isMissing = (/** @type {string} */ name) => {
    try {
      return !scope[name];
    } catch {
      return true;
    }
  };
  const make = () => {
    /** @type {Map<string, string>} */
    const kept = new Map();
    const methods = {
      __proto__: null,
      getItem: (/** @type {unknown} */ key) => kept.get(String(key)) ?? null,
      setItem: (/** @type {unknown} */ key, /** @type {unknown} */ value) => void kept.set(String(key), String(value)),
      removeItem: (/** @type {unknown} */ key) => void kept.delete(String(key)),
      clear: () => kept.clear(),
      key: (/** @type {number} */ index) => [...kept.keys()][index] ?? null,
    };
    /** @param {string | symbol} key */
    const own = (key) => key === "length" ? kept.size : Reflect.get(methods, key);
    return new Proxy(Object.create(null), {
      get: (_, key) => own(key) ?? (typeof key === "string" ? kept.get(key) : undefined),
      set: (_, key, value) => (methods.setItem(String(key), value), true),
      has: (_, key) => own(key) !== undefined || kept.has(String(key)),
      deleteProperty: (_, key) => (kept.delete(String(key)), true),
      ownKeys: () => [...kept.keys()],
      getOwnPropertyDescriptor: (_, key) =>
        kept.has(String(key))
          ? { value: kept.get(String(key)), writable: true, enumerable: true, configurable: true }
          : undefined,
    });
  };
  for (const name of ["localStorage", "sessionStorage"]) {
    if (isMissing(name)) Object.defineProperty(scope, name, { value: make(), configurable: true, enumerable: true });
  }
}
