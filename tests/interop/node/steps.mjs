// The steps that every client goes through. Each prints one line of JSON: what the client saw, or the error it got.
// A client is an object with the methods used below; client.mjs and sdk.mjs make one each.

const DEADLINE = 20_000;

function within(promise, what) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no end after ${DEADLINE} ms: ${what}`)), DEADLINE);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

async function step(name, run) {
  let line;
  try {
    line = { step: name, value: (await within(run(), name)) ?? null };
  } catch (error) {
    line = { step: name, error: { code: error.code ?? null, message: error.message } };
  }
  console.log(JSON.stringify(line));
}

// A list that can be waited on, so that nothing has to sleep.
export class Mailbox {
  items = [];
  #waiting = [];

  put(item) {
    this.items.push(item);
    this.#waiting = this.#waiting.filter(([count, wake]) => this.items.length < count || wake());
  }

  async first(count) {
    if (this.items.length < count) {
      await new Promise((wake) => this.#waiting.push([count, wake]));
    }
    return this.items.slice(0, count);
  }
}

const text = (result) => result.content.map((block) => block.text).join("|");
const outcome = (result) => ({ text: text(result), isError: result.isError ?? false, structured: result.structuredContent });

export async function runSteps(client, { updates, questions, answers }) {
  await step("connect", () => client.connect());

  await step("tools", () => client.listTools());
  await step("resources", () => client.listResources());
  await step("templates", () => client.listTemplates());
  await step("prompts", () => client.listPrompts());

  await step("call", async () => outcome(await client.call("add", { a: 2, b: 3 })));
  await step("call in a thread", async () => outcome(await client.call("shout", { text: "hello" })));
  await step("tool error", async () => outcome(await client.call("fail", {})));
  await step("wrong arguments", async () => outcome(await client.call("shout", { text: 5 })));
  await step("unknown tool", () => client.call("nothing", {}));

  await step("read", () => client.read("note://a"));
  await step("read by template", () => client.read("note://b"));
  await step("read a missing one", () => client.read("note://z"));

  await step("prompt", () => client.prompt("greet", { name: "Ada" }));
  await step("complete", () => client.complete("greet", "name", "A"));

  await step("subscribe", () => client.subscribe("note://a"));
  await step("update", async () => {
    await client.call("touch", { uri: "note://b" });
    await client.call("touch", { uri: "note://a" });
    return updates.first(1);
  });
  await step("unsubscribe", async () => {
    await client.unsubscribe("note://a");
    await client.subscribe("note://b");
    await client.call("touch", { uri: "note://a" });
    await client.call("touch", { uri: "note://b" });
    return updates.first(2);
  });

  await step("progress", async () => {
    const seen = [];
    const onprogress = (one) => {
      seen.push(one);
      client.call("heard", { number: one.progress });
    };
    const result = await client.call("count_to", { n: 3 }, { onprogress });
    return { seen, result: outcome(result) };
  });

  await step("cancel", async () => {
    const stop = new AbortController();
    const started = new Mailbox();
    const options = { signal: stop.signal, onprogress: (one) => started.put(one) };
    const slow = client.call("slow", { seconds: 30.5 }, options).then(() => "finished", () => "rejected");
    await started.first(1);
    stop.abort("changed my mind");
    const recorded = await client.call("cancellations", { at_least: 1 });
    return { call: await slow, recorded: outcome(recorded) };
  });
  await step("call after cancel", async () => outcome(await client.call("add", { a: 20, b: 22 })));

  await step("elicit", async () => {
    answers.push({ action: "accept", content: { name: "Ada", plates: 2 } });
    const result = outcome(await client.call("ask_name", {}));
    return { result, question: questions.items.at(-1) };
  });
  await step("elicit, declined", async () => {
    answers.push({ action: "decline" });
    return { result: outcome(await client.call("ask_name", {})), asked: questions.items.length };
  });

  await step("close", () => client.close());
}
