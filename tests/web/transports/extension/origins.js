// @ts-check
/** Which pages may connect; the test writes its own. @type {string[]} */
export const ORIGINS = [];
