/** Panels of which one is seen. The arrow keys lead from tab to tab. @param {HTMLElement} element */
export declare function tabs(element: HTMLElement): void;
