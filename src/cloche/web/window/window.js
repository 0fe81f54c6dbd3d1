// @ts-check
/**
 * The page of `cloche open`: one view in a window of its own. It stays connected for as long as it is open, which is
 * how the command knows when it was closed.
 */

const SUBPROTOCOL = "cloche.window.1";
const KEY = "key";

const view = /** @type {HTMLElement} */ (document.getElementById("view"));
const heading = /** @type {HTMLElement} */ (document.querySelector("h1"));
const said = /** @type {HTMLElement} */ (document.getElementById("said"));

/** What lets this page in: the token of the address, which works once, and afterwards the key that it was changed for. */
function credentials() {
  const token = new URLSearchParams(location.hash.slice(1)).get("token") ?? "";
  history.replaceState(null, "", location.pathname);
  return { token, key: sessionStorage.getItem(KEY) ?? "" };
}

/** @param {{key?: string, title?: string, ticket?: string, problem?: string}} told */
function receive(told) {
  if (told.key) sessionStorage.setItem(KEY, told.key);
  if (told.title) document.title = heading.textContent = told.title;
  if (told.problem) said.textContent = told.problem;
  if (told.ticket) {
    said.textContent = "";
    const shown = document.createElement("mcp-app");
    shown.setAttribute("ticket", told.ticket);
    view.replaceChildren(shown);
  }
}

const socket = new WebSocket(`ws://${location.host}/window/socket`, SUBPROTOCOL);
socket.addEventListener("open", () => socket.send(JSON.stringify(credentials())));
socket.addEventListener("message", ({ data }) => receive(JSON.parse(data)));
socket.addEventListener("close", ({ reason }) => {
  document.body.classList.add("over");
  said.textContent = reason === "token"
    ? "This address was used before, or is incomplete. Run cloche open again."
    : "cloche open has ended. You can close this window.";
});
