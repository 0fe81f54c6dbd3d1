// What web/vue.js uses of Vue, for checking it without Vue.
export interface Ref<T> {
    value: T;
}
export interface DefineComponent {
    new (): { $props: object };
}
export declare function computed<T>(get: () => T): Readonly<Ref<T>>;
export declare function defineComponent(options: object): DefineComponent;
export declare function h(type: string, props?: object | null, children?: unknown): unknown;
export declare function inject<T>(key: symbol, otherwise: T): T;
export declare function onErrorCaptured(heard: (error: Error) => boolean | void): void;
export declare function onMounted(mounted: () => unknown): void;
export declare function provide(key: symbol, value: unknown): void;
export declare function shallowRef<T>(value: T): Ref<T>;
export declare function toValue<T>(given: T | Readonly<Ref<T>> | (() => T)): T;
export declare function watch<T>(
    source: Readonly<Ref<T>>,
    changed: (now: T, before: T | undefined, onCleanup: (stop: () => void) => void) => void,
    options?: { immediate?: boolean },
): () => void;
