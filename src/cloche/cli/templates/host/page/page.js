// @ts-check
/** The product's own script: what views said, as it comes. The view itself needs nothing from here. */

const list = /** @type {HTMLElement} */ (document.getElementById("messages"));
const empty = /** @type {HTMLElement} */ (document.getElementById("empty"));
const connection = /** @type {HTMLElement} */ (document.getElementById("connection"));

const events = new EventSource("/messages");
events.onmessage = (/** @type {MessageEvent<string>} */ { data }) => {
  const item = document.createElement("li");
  item.textContent = JSON.parse(data); // text, never markup: it is what somebody else's program wrote
  list.append(item);
  empty.hidden = true;
};
events.onopen = () => connection.textContent = "";
events.onerror = () => {
  // A stream that ends after a while is asked for again at once: that is worth no word.
  setTimeout(() => {
    if (events.readyState !== EventSource.OPEN) connection.textContent = "Reconnecting …";
  }, 2000);
};
