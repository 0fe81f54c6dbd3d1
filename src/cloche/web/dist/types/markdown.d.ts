/** Whether a text was meant to be laid out: several of the signs, or one that nothing else has. @param {string} text */
export declare function isMarkdown(text: string): boolean;
/** @param {string} text @returns {HTMLElement} */
export declare function markdown(text: string): HTMLElement;
/** A link that leaves the playground says nothing of where it comes from. @param {string} target @param {string} label */
export declare function link(target: string, label: string): string | HTMLAnchorElement;
