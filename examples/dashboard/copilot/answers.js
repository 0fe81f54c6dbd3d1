// @ts-check
/** What Harry understands: each question by some of its words, and the tools that answer it. No model. */

export const SUGGESTIONS = ["How is the system?", "My projects", "How is my team?", "Who am I?"];

/** @typedef {(name: string, args?: Record<string, unknown>) => Promise<any>} Use calls a tool */

/** @param {string} name @param {...(Node | string)} children */
function make(name, ...children) {
  const element = document.createElement(name);
  element.append(...children);
  return element;
}

/** @param {string[][]} rows */
const table = (rows) =>
  make(
    "table",
    ...rows.map(([first, ...rest]) => make("tr", make("th", first), ...rest.map((one) => make("td", one)))),
  );

/** @param {string} _text @param {Use} use @returns {Promise<(Node | string)[]>} */
const health = async (_text, use) => {
  const { state, services } = await use("get_system_health");
  const rows = services.map((/** @type {any} */ one) => [one.name, one.state, `${one.latency.at(-1)} ms`]);
  const worst = services.find((/** @type {any} */ one) => one.state == state);
  const said = state == "up"
    ? "Everything is up."
    : `${worst.name} is ${state}: ${worst.latency[0]} ms an hour ago, ${
      worst.latency.at(-1)
    } ms now. I can restart it: “restart ${worst.name.toLowerCase()}”.`;
  return [said, table(rows)];
};

/** @param {string} text @param {Use} use @returns {Promise<(Node | string)[]>} */
const projects = async (text, use) => {
  const isRisk = /risk|late|trouble/.test(text);
  const found = await use("get_user_projects", isRisk ? { status: "at risk" } : {});
  if (!found.length) return [isRisk ? "None of your projects is at risk." : "You have no projects."];
  const rows = found.map((/** @type {any} */ one) => [one.name, `${one.progress} %`, one.due]);
  return [isRisk ? "At risk:" : `You have ${found.length} projects:`, table(rows)];
};

/** @param {string} _text @param {Use} use @returns {Promise<(Node | string)[]>} */
const team = async (_text, use) => {
  const { team, members, finished, reviews_waiting: waiting, days } = await use("get_team_stats");
  const best = days.reduce((/** @type {any} */ a, /** @type {any} */ b) => b.tasks > a.tasks ? b : a);
  return [
    `${team}, ${members} people: ${finished} tasks this week, most of them on ${best.day} (${best.tasks}). ${waiting} wait for a review.`,
  ];
};

/** @param {string} _text @param {Use} use @returns {Promise<(Node | string)[]>} */
const who = async (_text, use) => {
  const { name, role, team, email } = await use("get_current_user");
  return [`You are ${name}.`, table([["Role", role], ["Team", team], ["Address", email]])];
};

/** @param {string} text @param {Use} use @returns {Promise<(Node | string)[]>} */
const restart = async (text, use) => {
  const service = /restart(?: the)? (\w+)/.exec(text)?.[1];
  if (!service) return ["Which service? Say: “restart search”."];
  const { name, state, latency } = await use("restart_service", { service });
  return [`${name} is ${state} again, at ${latency.at(-1)} ms.`];
};

/** @param {string} _text @param {Use} use @returns {Promise<(Node | string)[]>} */
const salaries = async (_text, use) => [JSON.stringify(await use("get_salaries"))];

/** @type {[RegExp, (text: string, use: Use) => Promise<(Node | string)[]>][]} */
const KNOWN = [
  [/restart/, restart],
  [/salar|earn|paid/, salaries],
  [/system|health|slow|down|service|outage/, health],
  [/project|deadline|risk|due|late/, projects],
  [/team|week|review|finished|stats/, team],
  [/who|my name|account|signed in|role/, who],
];

/** @param {string} question @param {Use} use @returns {Promise<(Node | string)[]>} */
export async function answerTo(question, use) {
  const text = question.toLowerCase();
  const known = KNOWN.find(([words]) => words.test(text));
  return known
    ? await known[1](text, use)
    : ["I know about the system, your projects, your team and who you are, and I can restart a service."];
}
