export type Data = {
    size: number;
    looks: string[];
    texts: string[][];
    keys: (any[] | null)[];
};
/** @param {HTMLElement} element */
export declare function table(element: HTMLElement): void;
