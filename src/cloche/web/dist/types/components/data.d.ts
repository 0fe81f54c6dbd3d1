/** The data that came with a component. @param {Element} element @param {string} kind @returns {any} */
export declare function dataOf(element: Element, kind: string): any;
