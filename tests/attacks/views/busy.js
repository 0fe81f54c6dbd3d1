// Taking all the time there is. Begins when the host turns dark, so that the test can measure before and during.
const busyFor = 1200;
const begun = new Promise((begin) => {
  addEventListener("message", ({ data }) => {
    if (data?.method === "ui/notifications/host-context-changed" && data.params?.theme === "dark") begin();
  });
});
const until = () => {
  const end = performance.now() + busyFor;
  return () => performance.now() < end;
};

attacks["while-loop"] = async () => {
  await begun;
  const goesOn = until();
  while (goesOn());
};
attacks.microtasks = async () => {
  await begun;
  const goesOn = until();
  while (goesOn()) await null;
};
attacks["forced-layout"] = async () => {
  await begun;
  const goesOn = until();
  add("<p>x</p>".repeat(2000));
  while (goesOn()) {
    document.body.style.width = document.body.offsetWidth === 500 ? "501px" : "500px";
  }
};
attacks["memory-churn"] = async () => {
  await begun;
  const goesOn = until();
  let kept = [];
  while (goesOn()) {
    kept.push(new Array(100_000).fill(Math.random()));
    if (kept.length > 200) kept = [];
  }
};
attacks["twenty-thousand-messages"] = async () => {
  await begun;
  for (let count = 0; count < 20_000; count++) {
    post({ id: "m" + count, method: "ping", params: { text: "x".repeat(200) } });
  }
};
attacks["endless-loop"] = async () => {
  await soon(100);
  for (;;);
};
attacks["endless-microtasks"] = async () => {
  await soon(100);
  for (;;) await null;
};
