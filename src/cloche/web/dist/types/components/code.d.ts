/** A button that copies the code. @param {HTMLElement} element */
export declare function code(element: HTMLElement): void;
