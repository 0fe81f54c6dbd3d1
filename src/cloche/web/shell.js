// @ts-check
// The page of a view that is a Python function: shows the HTML that came with the tool's result. Where it is missing,
// because it is large or the host dropped it, the page has it rendered by the tool in `data-render`.

/** @param {any} bridge */
export function showResults(bridge) {
  const root = /** @type {HTMLElement} */ (document.querySelector("[data-render]"));
  /** @param {string} text */
  const say = (text) => {
    const note = document.createElement("p");
    note.role = "alert";
    note.textContent = text;
    root.replaceChildren(note);
    root.ariaBusy = null;
  };
  bridge.on("tool:cancelled", (/** @type {any} */ { reason } = {}) => say(reason || "The call was cancelled."));
  bridge.on("tool:result", (/** @type {any} */ { content = [], structuredContent, isError, _meta }) => {
    const text = content.find((/** @type {any} */ block) => block.text)?.text;
    const html = _meta?.["cloche/html"];
    if (isError) return say(text || "The tool failed");
    const part = document.createElement("template");
    if (typeof html == "string") part.innerHTML = html;
    else {
      // interact.js calls what wants to be called at once, and says when it fails.
      const place = document.createElement("div");
      const args = JSON.stringify({ result: structuredContent ?? text, input: bridge.toolInput });
      Object.assign(place.dataset, { tool: root.dataset.render, args, trigger: "load", swap: "outer" });
      part.content.append(place);
    }
    root.replaceChildren(part.content);
    root.ariaBusy = null;
  });
}

showResults(/** @type {any} */ (globalThis).cloche);
