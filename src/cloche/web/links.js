// @ts-check
// Links in a view: the host opens them, and saves what is to be downloaded. A frame alone may do neither.

/**
 * @typedef {object} Opener
 * @property {(url: string) => Promise<any>} openLink
 * @property {(file: object) => Promise<any>} downloadFile
 * @property {(level: string, message: string) => void} log
 */

/** Ask the host for what a link wants. @param {Opener} bridge @param {any} link */
function follow(bridge, link) {
  const href = link.getAttribute("href") || "";
  const name = link.getAttribute("download");
  // In a frame made from a text, `#part` is resolved against the parent's address, and would lead away from the view.
  if (href.startsWith("#")) return document.getElementById(href.slice(1))?.scrollIntoView();
  if (name == null) return bridge.openLink(href);
  // A `data:` URL is taken apart here: no policy of a view lets it fetch one.
  const [, mimeType, base64, data] = /^data:(.*?)(;base64)?,(.*)/s.exec(href) || [];
  if (data == null) return bridge.downloadFile([{ type: "resource_link", uri: href, name: name || href }]);
  const content = base64 ? { blob: data } : { text: decodeURIComponent(data) };
  return bridge.downloadFile({ name: name || "download", mimeType, ...content });
}

/** Take every click on a link, unless something else has taken it. @param {Opener} bridge */
export function openLinks(bridge) {
  document.addEventListener("click", async (/** @type {any} */ event) => {
    const link = event.target.closest("a[href]");
    if (!link || event.defaultPrevented) return;
    event.preventDefault();
    try {
      const { isError } = await follow(bridge, link) ?? {};
      if (isError) throw Error("The host did not open it");
      delete link.dataset.error;
    } catch (/** @type {any} */ error) {
      link.dataset.error = link.title = error.message;
      bridge.log("error", "A link was not followed: " + error.message);
    }
  });
}

openLinks(/** @type {any} */ (globalThis).cloche);
