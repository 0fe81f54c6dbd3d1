// Taking all the time there is. Begins when the host turns dark, so that the test can measure before and during.
const busyFor = 700;
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
attacks["twenty-thousand-messages"] = async () => {
  await begun;
  for (let count = 0; count < 20_000; count++) {
    post({ id: "m" + count, method: "ping", params: { text: "x".repeat(200) } });
  }
};
attacks["messages-to-top"] = async () => {
  await begun;
  for (let count = 0; count < 100_000; count++) top.postMessage({ count }, "*");
};
attacks["endless-loop"] = async () => {
  await soon(100);
  for (;;);
};
attacks["endless-microtasks"] = async () => {
  await soon(100);
  for (;;) await null;
};
