/**
 * A form whose fields come from a JSON Schema. What was filled in goes to a tool, or to the instance as an event.
 *
 * @param {HTMLElement} element @param {import("./index.js").Bridge} bridge
 */
export declare function form(element: HTMLElement, bridge: import("./index.js").Bridge): void;
