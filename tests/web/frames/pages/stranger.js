// @ts-check
const given = new URLSearchParams(location.search);
const to = given.get("to") ?? "";
const target = to == "parent" ? parent : parent.frames[Number(to)];
for (const message of JSON.parse(given.get("messages") ?? "[]")) target.postMessage(message, "*");
