export type Point = [x: number, y: number, name: string, value: string];
export type Data = {
    box: number;
    along?: "x" | "y" | "both";
    series: {
        name: string;
        points: Point[];
    }[];
};
export type Stop = {
    x: number;
    y: number;
    name: string;
    lines: {
        number: number;
        name: string;
        value: string;
        y: number;
        x: number;
    }[];
};
/**
 * What a chart says of single points: under the pointer, and with the arrow keys.
 *
 * @typedef {[x: number, y: number, name: string, value: string]} Point
 * @typedef {{box: number, along?: "x" | "y" | "both", series: {name: string, points: Point[]}[]}} Data
 * @typedef {{x: number, y: number, name: string, lines: {number: number, name: string, value: string, y: number, x: number}[]}} Stop
 *   what is told together: all series at one place, or one point
 */
/** @param {HTMLElement} element */
export declare function chart(element: HTMLElement): void;
