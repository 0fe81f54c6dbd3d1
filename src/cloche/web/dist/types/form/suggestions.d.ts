/**
 * A line of text with suggestions that are asked for while a person writes.
 *
 * @param {string} name of the argument
 * @param {(name: string, value: string) => Promise<string[]>} suggest
 */
export declare function suggested(name: string, suggest: (name: string, value: string) => Promise<string[]>): HTMLInputElement;
