// The page of a product that embeds views with Cloche: it gets HTML from its own server and puts it in.
const now = () => performance.timeOrigin + performance.now();

/** Our host lists tools in Python. */
window.warm = async () => {};

/** Have the product start the call and show its view; gives the moment at which that began. */
window.openView = async (server) => {
  const begun = now();
  const response = await fetch(`/start?server=${server}`);
  document.body.insertAdjacentHTML("beforeend", await response.text());
  return begun;
};
