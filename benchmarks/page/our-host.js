// The page of a product that embeds views with Cloche: it gets HTML from its own server and puts it in.
const now = () => performance.timeOrigin + performance.now();

/** Our host lists tools in Python, and has the page get ready for their views, unless the page is to be tried cold. */
window.warm = async () => {
  if (location.search === "?cold") return;
  document.body.insertAdjacentHTML("beforeend", await (await fetch("/preload")).text());
  await customElements.whenDefined("mcp-app-preload");
  await Promise.all(Array.from(document.querySelectorAll("mcp-app-preload"), (element) => element.ready));
};

/** Have the product start the call and show its view; gives the moment at which that began. */
window.openView = async (server) => {
  const begun = now();
  const response = await fetch(`/start?server=${server}`);
  document.body.insertAdjacentHTML("beforeend", await response.text());
  return begun;
};
