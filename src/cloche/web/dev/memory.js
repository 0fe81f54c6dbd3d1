// @ts-check
/** What survives a reload of the page, and ends with its tab. @param {string} key @returns {any} */
export function recalled(key) {
  try {
    return JSON.parse(sessionStorage.getItem(`dev ${key}`) ?? "null");
  } catch {
    return null;
  }
}

/** @param {string} key @param {any} value */
export function remember(key, value) {
  sessionStorage.setItem(`dev ${key}`, JSON.stringify(value));
}
