// The view of the host's benchmark, on the official App: the same under both hosts. It notes when its result is painted.
const app = new official.App({ name: "bench-view", version: "1.0.0" }, {});
const now = () => performance.timeOrigin + performance.now();
app.ontoolresult = ({ content }) => {
  document.getElementById("out").textContent = content[0].text;
  // Once the frame that shows it has been handed over.
  requestAnimationFrame(() => setTimeout(() => (window.painted = now())));
};
const call = (name) => app.callServerTool({ name, arguments: { text: "x" } });

/** Milliseconds of each of so many calls, one after the other. */
window.roundTrips = async (count) => {
  const taken = [];
  for (let turn = 0; turn < count; turn++) {
    const begun = performance.now();
    await call("echo");
    taken.push(performance.now() - begun);
  }
  return taken;
};

/** Milliseconds of a small call that is made right after one with a result of 7 MB. */
window.behind = async () => {
  const large = call("large");
  const begun = performance.now();
  await call("echo");
  const taken = performance.now() - begun;
  await large;
  return taken;
};
app.connect();
