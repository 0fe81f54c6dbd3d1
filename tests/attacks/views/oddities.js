// Messages that structured cloning carries and JSON does not, and some that look like what they are not. The page has one
// socket for all its views: whoever makes the host hang up, or the page's script fail, has silenced all of them.
const log = (data) => ({ jsonrpc: "2.0", method: "notifications/message", params: { level: "info", data } });
const raw = (message, transfer = []) => parent.postMessage(message, "*", transfer);

attacks.cycle = () => {
  const data = {};
  data.self = data;
  raw(log(data));
};
attacks["big-integer"] = () => raw(log(10n ** 30n));
attacks["nested-too-deep"] = () => {
  let data = [];
  for (let level = 0; level < 1500; level++) data = [data];
  raw(log(data));
};
attacks["list-of-a-billion"] = () => {
  const data = [];
  data.length = 2 ** 30;
  raw(log(data));
};
attacks["half-a-character"] = () => raw(log("\ud800"));
attacks["half-a-character-in-a-key"] = () => raw(log({ "\udfff": 1 }));
attacks["list-as-message"] = () => raw(Object.assign([], log("x")));
attacks["report-for-another-view"] = () => {
  raw({ jsonrpc: "2.0", method: "ui/notifications/sandbox-report", params: { event: "error", view: "2", n: "7" } });
};
attacks["large-text"] = () => raw(log("€".repeat(700_000)));
