export type Bridge = {
    callTool: (name: string, args?: object) => Promise<any>;
    component?: (name: string, draw: (element: HTMLElement, props: any) => void) => void;
};
export type Behaviour = (element: HTMLElement, bridge: Bridge) => void;
/**
 * Bring the components of a page to life: those that are there, and those that come later.
 *
 * @param {Bridge} bridge @param {Document | ShadowRoot} [root]
 */
export declare function startComponents(bridge: Bridge, root?: Document | ShadowRoot): void;
