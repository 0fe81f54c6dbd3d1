// @ts-check
import { fileName, saveFile } from "../dev/files.js";
import { make } from "../elements.js";

/**
 * Files that a tool has written: a result links to them, and the person saves them.
 *
 * @typedef {Pick<import("../python/start.js").PythonServer, "addFile" | "readFile">} Files
 */

const FILE = "file:///";

/** A button for each file that a result links to. @param {any} result @param {Files} files @returns {HTMLElement[]} */
export function savesOf(result, files) {
  const links = (Array.isArray(result?.content) ? result.content : [])
    .filter((/** @type {any} */ one) => one?.type === "resource_link" && String(one.uri).startsWith(FILE));
  return links.map((/** @type {any} */ link) => saveOf(link, files));
}

/** @param {{uri: string, name: string, mimeType?: string}} link @param {Files} files */
function saveOf({ uri, name, mimeType = "" }, files) {
  const problem = make("span", { class: "problem", role: "alert" });
  const save = async () => {
    problem.textContent = "";
    try {
      saveFile(await files.readFile(decodeURIComponent(uri.slice(FILE.length - 1))), fileName(name || uri, mimeType));
    } catch (error) {
      problem.textContent = String(/** @type {any} */ (error)?.message ?? error);
    }
  };
  return make("div", "actions", make("button", { type: "button", onclick: save }, `Save ${name || uri}`), problem);
}
