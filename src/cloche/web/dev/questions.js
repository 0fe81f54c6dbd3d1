// @ts-check
/**
 * What servers ask is shown over the page by `<mcp-questions>`. Its ticket comes with the playground's greeting, over a
 * socket that is open for no longer than that takes.
 */

const SUBPROTOCOL = "cloche.dev.1";
/** Milliseconds before another attempt. */
const AGAIN = 2000;

const element = /** @type {HTMLElement & {state?: string}} */ (document.querySelector("mcp-questions"));

/** The token of the address, or the one that a reload kept. */
const token = () => new URLSearchParams(location.hash.slice(1)).get("token") ?? sessionStorage.getItem("token") ?? "";

function getTicket() {
  const socket = new WebSocket(`ws://${location.host}/dev/socket`, SUBPROTOCOL);
  socket.addEventListener("open", () => socket.send(JSON.stringify({ token: token() })));
  socket.addEventListener("message", ({ data }) => {
    const told = JSON.parse(data);
    if (told.event !== "ready") return;
    socket.close();
    element.setAttribute("ticket", told.questions);
  });
  socket.addEventListener("close", ({ reason, wasClean }) => {
    if (!wasClean && reason !== "token") setTimeout(getTicket, AGAIN);
  });
}

// A ticket that has expired, or is of a playground before this one.
element.addEventListener("statechange", () => {
  if (element.state === "error") setTimeout(getTicket, AGAIN);
});
getTicket();
