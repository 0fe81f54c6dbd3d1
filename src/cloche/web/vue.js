// @ts-check
/**
 * A server's stores, tools and resources in Vue 3. Vue is not part of Cloche: `vue` is your page's own, from its bundler
 * or its import map. What may change, such as a path, can be given as a ref or a getter. Nothing here needs a window
 * before it is mounted.
 */
import {
  computed,
  defineComponent,
  h,
  inject,
  onErrorCaptured,
  onMounted,
  provide,
  shallowRef,
  toValue,
  watch,
} from "vue";
import { Provided } from "./provided.js";
import { AppSource, ResourceSource, StoreSource, ToolSource, UIResourceSource } from "./sources.js";
import { showUIResource } from "./ui-resource.js";

/**
 * @typedef {import("./provided.js").Mcp} Mcp
 * @typedef {import("./connection.js").ConnectionState} ConnectionState
 * @typedef {import("./sources.js").ToolState} ToolState
 * @typedef {import("./sources.js").ResourceState} ResourceState
 * @typedef {import("./sources.js").UIResourceState} UIResourceState
 * @typedef {import("./sources.js").AppState} AppState
 */

/**
 * @template T
 * @typedef {Readonly<import("vue").Ref<T>>} ReadRef
 */

/**
 * @template T
 * @typedef {T | import("vue").Ref<T> | (() => T)} Given
 */

const KEY = Symbol("cloche");

/**
 * The value of a source that may be another one when what it is made of changes. It is followed while the component is
 * mounted, which it never is on a server.
 *
 * @template T
 * @param {() => import("./source.js").Source<T>} make
 * @param {(source: any) => void} [changed] hears of every change
 * @returns {ReadRef<T>}
 */
function useSource(make, changed) {
  const source = computed(make);
  const value = shallowRef(source.value.getInitial());
  onMounted(() =>
    watch(source, (one, _, onCleanup) => {
      const update = () => {
        value.value = one.getSnapshot();
        changed?.(one);
      };
      onCleanup(one.subscribe(update));
      update();
    }, { immediate: true })
  );
  return value;
}

/** Gives what is in its slot a client: an `McpClient`, or a function that makes one when the page is shown. */
export const Provider = defineComponent({
  name: "Provider",
  props: ["client"],
  /** @param {any} props @param {any} context */
  setup(props, { slots }) {
    const provided = new Provided(props.client);
    provide(KEY, useSource(() => provided));
    return () => slots.default?.();
  },
});

/** The client, its status, and `store(name)`, as a ref. @returns {ReadRef<Mcp>} */
export function useMcp() {
  const mcp = inject(KEY, undefined);
  if (!mcp) throw Error("There is no <Provider :client> around this component: put one there");
  return /** @type {ReadRef<Mcp>} */ (mcp);
}

/**
 * What is at a path of a store, such as `useStore("shopping.items")`, or what `select` makes of it, as a ref; undefined
 * until it was read. Reading the ref throws, for an `ErrorBoundary` to show, when the store cannot be read.
 *
 * @template [T=any]
 * @param {Given<string | readonly (string | number)[]>} path the store's name, then names and numbers
 * @param {(value: any) => T} [select]
 * @returns {ReadRef<T | undefined>}
 */
export function useStore(path, select) {
  const client = useClient();
  const failure = shallowRef(/** @type {Error | undefined} */ (undefined));
  const value = useSource(
    () => new StoreSource(client.value, toValue(path), select),
    ({ error }) => failure.value = error,
  );
  return computed(() => {
    if (failure.value) throw failure.value;
    return value.value;
  });
}

/** Call a tool, and show what became of the latest call. @param {Given<string>} name @returns {ReadRef<ToolState>} */
export function useTool(name) {
  const client = useClient();
  return useSource(() => new ToolSource(client.value, toValue(name)));
}

/** A resource, read again whenever it changes. @param {Given<string>} uri @returns {ReadRef<ResourceState>} */
export function useResource(uri) {
  const client = useClient();
  return useSource(() => new ResourceSource(client.value, toValue(uri)));
}

/**
 * The HTML that a tool's result shows, or that a `ui://` resource has. It is for a frame with a sandbox, never for
 * `v-html`: somebody else wrote it.
 *
 * @param {Given<string | Record<string, any> | undefined>} of a URI, or the result of a tool
 * @returns {ReadRef<UIResourceState>}
 */
export function useUIResource(of) {
  const client = useClient();
  return useSource(() => new UIResourceSource(client.value, toValue(of)));
}

/**
 * A UI resource in a frame: `<UIResourceRenderer :resource="result" sandbox="form" />`. Its other props are the options of
 * `showUIResource`, its events `load`, `error` and `message`; the client is the Provider's.
 */
export const UIResourceRenderer = defineComponent({
  name: "UIResourceRenderer",
  props: { resource: null, sandbox: String, title: String, autoResize: Boolean, input: Object },
  emits: ["load", "error", "message"],
  /** @param {any} props @param {any} context */
  setup(props, { emit }) {
    const mcp = /** @type {ReadRef<Mcp> | undefined} */ (inject(KEY, undefined));
    const place = shallowRef(/** @type {HTMLElement | undefined} */ (undefined));
    const client = computed(() => mcp?.value.client);
    const wanted = computed(() => ({ ...props, client: client.value }));
    onMounted(() =>
      watch(wanted, ({ resource, ...options }, _, onCleanup) => {
        const shown = showUIResource(/** @type {HTMLElement} */ (place.value), resource, {
          ...options,
          onLoad: () => emit("load"),
          onError: (error) => emit("error", error),
          onMessage: (message) => emit("message", message),
        });
        onCleanup(shown.close);
      }, { immediate: true })
    );
    return () => h("div", { ref: place });
  },
});

/** What becomes of the connection, as a ref. @returns {ReadRef<ConnectionState>} */
export function useTransportStatus() {
  const mcp = useMcp();
  return computed(() => ({ status: mcp.value.status, error: mcp.value.error }));
}

/** In a view: its host, the tool's input and result. It needs no Provider. @returns {ReadRef<AppState>} */
export const useApp = () => useSource(() => new AppSource());

/** Shows its `fallback` slot, which gets the error and `retry`, where a component in it throws. It emits `error`. */
export const ErrorBoundary = defineComponent({
  name: "ErrorBoundary",
  emits: ["error"],
  /** @param {any} _props @param {any} context */
  setup(_props, { slots, emit }) {
    const error = shallowRef(/** @type {Error | undefined} */ (undefined));
    const retry = () => void (error.value = undefined);
    onErrorCaptured((/** @type {Error} */ caught) => {
      error.value = caught;
      emit("error", caught);
      return false;
    });
    return () => {
      if (!error.value) return slots.default?.();
      return slots.fallback?.({ error: error.value, retry }) ?? h("p", { role: "alert" }, error.value.message);
    };
  },
});

/** Only the client: what becomes of its connection makes no new sources. */
function useClient() {
  const mcp = useMcp();
  return computed(() => mcp.value.client);
}
