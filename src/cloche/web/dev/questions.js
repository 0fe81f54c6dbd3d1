// @ts-check
/** What servers ask is shown over the page by `<mcp-questions>`, with a ticket of the playground's. */

/** Milliseconds before another attempt with a new ticket. */
const AGAIN = 2000;

/** @param {import("./api.js").Api} api */
export function showQuestions(api) {
  const element = /** @type {HTMLElement & {state?: string}} */ (document.querySelector("mcp-questions"));
  const open = (/** @type {{ticket: string}} */ { ticket }) => element.setAttribute("ticket", ticket);
  api.on("ready", ({ questions }) => open({ ticket: questions }));
  // A ticket that has expired. One of a playground before this one is replaced when the page is connected again.
  element.addEventListener("statechange", () => {
    if (element.state === "error") setTimeout(() => api.ask("questions").then(open, () => {}), AGAIN);
  });
}
