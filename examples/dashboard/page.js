// @ts-check
/** Draws the numbers of the dashboard, and again when they change: the copilot may have restarted something. */

/** @param {string} name @param {Record<string, any>} [given] @param {...(Node | string)} children */
function make(name, { style = {}, ...given } = {}, ...children) {
  const element = Object.assign(document.createElement(name), given);
  for (const [property, value] of Object.entries(style)) element.style.setProperty(property, value);
  element.append(...children);
  return element;
}

/** @param {string} id @param {...Node} children */
const fill = (id, ...children) => document.getElementById(id)?.replaceChildren(...children);

const STATES =
  /** @type {Record<string, string>} */ ({ up: "All systems up", slow: "Slower than usual", down: "Down" });
const WORDS = /** @type {Record<string, string>} */ ({ up: "Up", slow: "Slow", down: "Down" });

/** A line of the last answers' times. @param {number[]} values */
function sparkline(values) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const line = document.createElementNS("http://www.w3.org/2000/svg", "polyline");
  const most = Math.max(...values, 100);
  const points = values.map((value, at) => `${(at * 96) / (values.length - 1) + 2},${26 - (value / most) * 22}`);
  svg.setAttribute("viewBox", "0 0 100 28");
  svg.setAttribute("preserveAspectRatio", "none");
  svg.setAttribute("aria-hidden", "true");
  line.setAttribute("points", points.join(" "));
  svg.append(line);
  return svg;
}

/** @param {string} label @param {string} value @param {string} note @param {string} [kind] */
const figure = (label, value, note, kind = "") =>
  make(
    "div",
    { className: `card figure ${kind}` },
    make("span", { className: "label" }, label),
    make("strong", {}, value),
    make("span", { className: "note" }, note),
  );

/** @param {any} numbers */
function draw({ user, projects, health, team }) {
  const open = projects.filter((/** @type {any} */ one) => one.status != "done");
  const late = open.filter((/** @type {any} */ one) => one.status == "at risk").length;
  const slow = health.services.filter((/** @type {any} */ one) => one.state != "up");
  fill("role", document.createTextNode(`${user.role}, ${user.team}`));
  fill(
    "figures",
    figure("System", STATES[health.state], slow.length ? slow[0].name : "Nothing to do", health.state),
    figure("Open projects", String(open.length), late ? `${late} at risk` : "all on track", late ? "slow" : ""),
    figure("Finished this week", String(team.finished), `by ${team.members} people`),
    figure("Waiting for review", String(team.reviews_waiting), "oldest since Tuesday"),
  );
  fill(
    "services",
    ...health.services.map((/** @type {any} */ one) =>
      make(
        "li",
        { className: one.state },
        make("span", { className: "dot", ariaHidden: "true" }),
        make("b", {}, one.name),
        sparkline(one.latency),
        make("span", { className: "number" }, `${one.latency.at(-1)} ms`),
        make("span", { className: "state" }, WORDS[one.state]),
      )
    ),
  );
  fill(
    "projects",
    ...projects.map((/** @type {any} */ one) =>
      make(
        "li",
        { className: one.status.replace(" ", "-") },
        make("b", {}, one.name),
        make("span", { className: "tag" }, one.status),
        make("progress", { max: 100, value: one.progress, ariaLabel: `${one.name}: ${one.progress} %` }),
        make("span", { className: "due" }, one.status == "done" ? `done ${one.due}` : `due ${one.due}`),
      )
    ),
  );
  const most = Math.max(...team.days.map((/** @type {any} */ day) => day.tasks));
  fill(
    "week",
    ...team.days.map((/** @type {any} */ { day, tasks }) =>
      make(
        "li",
        {},
        make("span", { className: "number" }, String(tasks)),
        make("span", { className: "bar", style: { height: `${(tasks / most) * 100}px` } }),
        make("span", {}, day),
      )
    ),
  );
}

let last = "";
async function look() {
  if (document.hidden) return;
  const answer = await fetch(`${location.pathname}/numbers`).catch(() => null);
  const text = answer?.ok ? await answer.text() : last;
  if (text == last) return;
  last = text;
  draw(JSON.parse(text));
}

for (const link of document.querySelectorAll("nav a")) {
  if (link.getAttribute("href") == location.pathname) link.setAttribute("aria-current", "page");
}
look();
setInterval(look, 1500);
