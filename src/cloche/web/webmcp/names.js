// @ts-check
/** What tools may be called. */
export const NAME = /^[\w.-]{1,128}$/;
