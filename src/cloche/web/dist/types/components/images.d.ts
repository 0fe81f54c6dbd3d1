/** Pictures of which one is shown large. @param {HTMLElement} element */
export declare function images(element: HTMLElement): void;
