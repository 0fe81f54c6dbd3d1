// @ts-check
/**
 * The page of the chat: events come from the server, and are drawn. Views are `<mcp-app>` elements like any other.
 *
 * @typedef {{id: number, role: "user" | "assistant" | "view" | "problem", text: string, source: string | null, html?: string}} Entry
 */

const log = /** @type {HTMLElement} */ (document.getElementById("log"));
const start = /** @type {HTMLElement} */ (document.getElementById("start"));
const form = /** @type {HTMLFormElement} */ (document.getElementById("composer"));
const field = /** @type {HTMLTextAreaElement} */ (form.elements.namedItem("text"));
const send = /** @type {HTMLButtonElement} */ (document.getElementById("send"));
const stop = /** @type {HTMLButtonElement} */ (document.getElementById("stop"));
const connection = /** @type {HTMLElement} */ (document.getElementById("connection"));

/** How near the end of the page counts as reading along, in pixels. */
const NEAR = 160;

/** @param {Entry} entry */
function draw({ id, role, text, source, html }) {
  const article = document.createElement("article");
  article.className = role;
  article.id = `entry-${id}`;
  if (source) {
    const small = document.createElement("small");
    small.textContent = `From ${source}`;
    article.append(small);
  }
  if (html) {
    article.innerHTML = html; // the host's own markup: one <mcp-app> with a signed ticket
  } else {
    const paragraph = document.createElement("p");
    paragraph.textContent = text;
    article.append(paragraph);
  }
  log.append(article);
}

/** @param {boolean} busy */
function setBusy(busy) {
  document.body.classList.toggle("empty", !log.childElementCount);
  start.hidden = log.childElementCount > 0;
  send.hidden = busy;
  stop.hidden = !busy;
  log.setAttribute("aria-busy", String(busy));
}

/** @type {Record<string, (event: any) => void>} */
const handlers = {
  history: ({ entries, busy }) => {
    log.replaceChildren();
    entries.forEach(draw);
    setBusy(busy);
    scrollTo(0, document.body.scrollHeight);
  },
  entry: ({ entry }) => {
    draw(entry);
    setBusy(!stop.hidden);
  },
  text: ({ id, text }) => document.querySelector(`#entry-${id} p`)?.append(text),
  busy: ({ busy }) => setBusy(busy),
};

/** @param {() => void} change */
function keepingTheEndInSight(change) {
  const isNear = document.documentElement.scrollHeight - scrollY - innerHeight < NEAR;
  change();
  if (isNear) scrollTo(0, document.documentElement.scrollHeight);
}

const events = new EventSource("/api/events");
events.onmessage = (/** @type {MessageEvent<string>} */ { data }) => {
  const event = JSON.parse(data);
  keepingTheEndInSight(() => handlers[event.type]?.(event));
};
events.onopen = () => connection.textContent = "";
events.onerror = () => connection.textContent = "Reconnecting …";

// A view that grows is read along like text.
new ResizeObserver(() => keepingTheEndInSight(() => {})).observe(log);

/** @param {string} text */
async function say(text) {
  const body = JSON.stringify({ text });
  const response = await fetch("/api/messages", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  });
  if (!response.ok) throw new Error(`The server answered ${response.status}`);
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const text = field.value.trim();
  if (!text || !stop.hidden) return;
  field.value = "";
  await say(text).catch((error) => {
    field.value = text; // nothing that was typed is lost
    connection.textContent = error.message;
  });
});
field.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  form.requestSubmit();
});
stop.addEventListener("click", () => fetch("/api/stop", { method: "POST" }));
start.addEventListener("click", ({ target }) => {
  if (target instanceof HTMLButtonElement) say(target.textContent ?? "");
});
field.focus();
