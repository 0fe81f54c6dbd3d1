// @ts-check
/** A copilot: the MCP client in a frame. It asks the page around it for tools, and its one allowed origin is that page's. */
import { McpClient } from "/client.js";
import { InnerFrameTransport, PostMessageInnerControl } from "/frames.js";
import { answerTo, SUGGESTIONS } from "/answers.js";

const byId = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));
const talk = byId("talk");
const question = /** @type {HTMLInputElement} */ (byId("question"));
const product = document.querySelector("meta[name=product]")?.getAttribute("content") ?? "";

/** @param {string} who @param {...(Node | string)} what */
function say(who, ...what) {
  const said = document.createElement("div");
  said.className = `said ${who}`;
  said.append(...what);
  talk.append(said);
  talk.scrollTop = talk.scrollHeight;
  return said;
}

/** What was called for an answer. @param {string} name */
function called(name) {
  const note = document.createElement("code");
  note.textContent = name;
  return say("tool", "uses ", note);
}

const transport = new InnerFrameTransport(new PostMessageInnerControl([product]));
const client = new McpClient(transport, { name: "harry", version: "1.0" });
/** What it was asked in this session, so that a reload does not begin anew. */
let memory = /** @type {import("/frames.js").SessionStorage | undefined} */ (undefined);

/** @param {string} name @param {Record<string, unknown>} [args] */
async function use(name, args = {}) {
  const note = called(name);
  try {
    const { structuredContent, content, isError } = await client.callTool(name, args);
    note.firstChild?.replaceWith("used ");
    if (isError) throw new Error(content?.[0]?.text ?? "It failed");
    return structuredContent?.result ?? structuredContent;
  } catch (error) {
    note.firstChild?.replaceWith("could not use ");
    note.classList.add("failed");
    throw error;
  }
}

let isBusy = false;
/** @param {string} text */
async function ask(text) {
  if (!text.trim() || isBusy) return;
  isBusy = true;
  say("person", text);
  try {
    say("harry", ...await answerTo(text, use));
    memory?.set("last", text);
  } catch (error) {
    say("harry failed", `That did not work. ${/** @type {Error} */ (error).message}`);
  }
  isBusy = false;
}

byId("ask").addEventListener("submit", (event) => {
  event.preventDefault();
  ask(question.value);
  question.value = "";
});
for (const text of SUGGESTIONS) {
  const button = document.createElement("button");
  button.textContent = text;
  button.onclick = () => ask(text);
  byId("suggestions").append(button);
}

try {
  await transport.prepareToConnect();
  await client.connect();
  memory = transport.storage("harry");
  const tools = await client.listTools();
  const last = memory.get("last");
  say(
    "harry",
    last
      ? `Welcome back. You last asked: “${last}”`
      : `Hello, I am Harry. This page gives me ${tools.length} tools. Ask me about it, or pick a question below.`,
  );
} catch (error) {
  say("harry failed", /** @type {Error} */ (error).message);
}
