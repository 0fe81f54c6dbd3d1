// @ts-check
/**
 * What servers ask is shown over the page by two `<mcp-questions>`, each with a ticket of the playground's: one for calls of
 * the page itself, one for those of the chat.
 */

/** Milliseconds before another attempt with a new ticket. */
const AGAIN = 2000;

/** @param {import("./api.js").Api} api */
export function showQuestions(api) {
  const elements = /** @type {NodeListOf<HTMLElement & {state?: string}>} */ (
    document.querySelectorAll("mcp-questions")
  );
  for (const [index, element] of elements.entries()) {
    const open = (/** @type {string[]} */ tickets) => element.setAttribute("ticket", tickets[index]);
    api.on("ready", ({ questions }) => open(questions));
    // A ticket that has expired. One of a playground before this one is replaced when the page is connected again.
    element.addEventListener("statechange", () => {
      if (element.state !== "error") return;
      setTimeout(() => api.ask("questions").then(({ tickets }) => open(tickets), () => {}), AGAIN);
    });
  }
}
