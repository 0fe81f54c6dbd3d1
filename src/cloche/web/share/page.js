// @ts-check
import { byId, size } from "../dev/elements.js";
import { contentOf } from "../dev/results.js";
import { tree } from "../dev/tree.js";
import { make } from "../elements.js";
import { LiveView } from "./live-view.js";
import { aboutOf, hasFailed, laneOf, outcomeOf, titleOf } from "./moments.js";
import { Player } from "./player.js";

/**
 * The page of a shared recording: the view as it was at a step, what was said, and the way through.
 *
 * @typedef {import("./moments.js").Moment} Moment
 * @typedef {import("./moments.js").Recording} Recording
 */

/** @param {Recording} recording @param {HTMLIFrameElement} stage */
export function showRecording(recording, stage) {
  const live = new LiveView(stage, recording);
  const player = new Player(recording, live);
  byId("about").textContent = aboutRecording(recording);
  drawSteps(recording, player);
  followView(recording, live, player);
  keepKeyboard(live);
  bindControls(player);
  player.addEventListener("moved", () => drawPosition(recording, player));
  player.addEventListener("steps", () => drawSteps(recording, player));
  // What is worth seeing is there at once: the first view, or else the first step.
  const first = player.steps.findIndex((at) => recording.moments[at].view !== undefined);
  player.goTo(Math.max(0, first));
}

/** @param {Recording} recording */
function aboutRecording({ made, cloche, interrupted }) {
  const time = new Date(made);
  const when = Number.isNaN(time.valueOf()) ? made : time.toLocaleString();
  return `Recorded ${when} with Cloche ${cloche}${interrupted ? ". The recording was interrupted and ends early" : ""}`;
}

/** @param {Recording} recording @param {Player} player */
function drawSteps({ moments, views }, player) {
  const rows = player.steps.map((at, step) => {
    const moment = moments[at];
    const lane = laneOf(moment);
    const state = hasFailed(moment) ? "failed" : "";
    const row = make(
      "button",
      { type: "button", onclick: () => player.jump(step) },
      make("span", { class: `lane ${lane}` }, lane),
      make("span", { class: `what ${state}` }, titleOf(moment)),
      make("span", { class: `facts ${state}` }, factsOf(moment)),
      make("span", "sub", aboutOf(moment, views)),
    );
    return make("li", {}, row);
  });
  byId("steps").replaceChildren(...rows);
  const slider = /** @type {HTMLInputElement} */ (byId("slider"));
  slider.max = String(player.steps.length);
  drawPosition({ moments, views }, player);
}

/** @param {Moment} moment */
function factsOf(moment) {
  const took = moment.milliseconds === undefined ? "" : `${moment.milliseconds} ms`;
  return [hasFailed(moment) && "Failed", took].filter(Boolean).join(" · ");
}

/** @param {Pick<Recording, "moments" | "views">} recording @param {Player} player */
function drawPosition({ moments, views }, player) {
  const { step, steps, isPlaying } = player;
  for (const [at, row] of [...byId("steps").children].entries()) {
    const button = /** @type {HTMLElement} */ (row.firstElementChild);
    if (at !== step) button.removeAttribute("aria-current");
    else if (!button.hasAttribute("aria-current")) {
      button.setAttribute("aria-current", "step");
      keepInSight(row);
    }
  }
  const slider = /** @type {HTMLInputElement} */ (byId("slider"));
  slider.value = String(step + 1);
  const moment = moments[player.position];
  slider.setAttribute("aria-valuetext", moment ? `Step ${step + 1}: ${titleOf(moment)}` : "Before the first step");
  byId("place").textContent = `${step + 1} / ${steps.length}`;
  byId("play").textContent = isPlaying ? "Pause" : "Play";
  byId("back").ariaDisabled = String(step < 0);
  byId("next").ariaDisabled = String(step >= steps.length - 1);
  byId("detail").replaceChildren(...moment ? detailOf(moment, views) : []);
}

/** Scrolls the list, never the page. @param {Element} row */
function keepInSight(row) {
  const list = byId("list");
  const [inner, outer] = [row.getBoundingClientRect(), list.getBoundingClientRect()];
  if (inner.top < outer.top) list.scrollTop -= outer.top - inner.top;
  else if (inner.bottom > outer.bottom) list.scrollTop += inner.bottom - outer.bottom;
}

/** @param {Moment} moment @param {Recording["views"]} views @returns {HTMLElement[]} */
function detailOf(moment, views) {
  const { kind, method, request, gesture, view, message } = moment;
  /** @type {HTMLElement[]} */
  const parts = [make("h2", {}, titleOf(moment)), make("p", "about", aboutOf(moment, views))];
  if (kind === "opened") {
    parts.push(make("h3", {}, "Arguments"), tree(views[view ?? 0].arguments ?? {}, "", 3));
  } else if (kind === "user") parts.push(tree(gesture, "", 1));
  else if (method === "ui/notifications/tool-result") parts.push(make("h3", {}, "Result"), ...contentOf(request));
  else {
    const isQuestion = kind === "server" || kind === "got" && message?.method === undefined;
    parts.push(make("h3", {}, isQuestion ? "Request" : "Message"), tree(request ?? {}, "", 3));
  }
  const { result, error } = outcomeOf(moment);
  if (error !== undefined) {
    parts.push(
      make("h3", {}, "Error"),
      make("pre", "problem", typeof error === "string" ? error : error.message ?? ""),
    );
  } else if (result !== undefined) {
    const isContent = ["content", "contents", "messages"].some((name) => Array.isArray(result?.[name]));
    parts.push(make("h3", {}, `Answer, ${size(JSON.stringify(result).length)}`));
    parts.push(...(isContent ? contentOf(result) : [tree(result, "", 3)]));
  }
  return parts;
}

/** @param {Recording} recording @param {LiveView} live @param {Player} player */
function followView({ views }, live, player) {
  const note = byId("note");
  live.addEventListener("view", () => {
    note.textContent = "";
    const view = live.current === null ? null : views[live.current];
    live.stage.hidden = view === null;
    byId("no-view").hidden = view !== null;
    byId("view-name").textContent = view && views.length > 1 ? `${view.tool} of ${view.server}` : "";
  });
  live.addEventListener("problem", (event) => note.textContent = /** @type {CustomEvent} */ (event).detail);
  const main = byId("main");
  let going = 0;
  player.addEventListener("going", () => {
    note.textContent = "";
    main.ariaBusy = String(++going > 0);
  });
  player.addEventListener("arrived", () => main.ariaBusy = String(--going > 0));
}

/** Milliseconds until it is known whether a person has clicked into the view, and for which a Tab counts. */
const TOLD_WITHIN = 150;
const TABBED_WITHIN = 500;

/** The keyboard stays with the page: a view that is played takes it with every recorded click. @param {LiveView} live */
function keepKeyboard(live) {
  /** @type {Element | null} */
  let before = null;
  let tabbed = -TABBED_WITHIN;
  addEventListener("focusin", ({ target }) => target !== live.stage && (before = /** @type {Element} */ (target)));
  addEventListener("keydown", ({ key }) => key === "Tab" && (tabbed = performance.now()));
  const takeBack = () => {
    if (live.isTouched || document.activeElement !== live.stage || performance.now() - tabbed < TABBED_WITHIN) return;
    live.stage.blur();
    if (before?.isConnected) /** @type {HTMLElement} */ (before).focus({ preventScroll: true });
    else focus();
  };
  live.addEventListener("acted", takeBack);
  addEventListener("blur", () => setTimeout(takeBack, TOLD_WITHIN));
}

/** @param {Player} player */
function bindControls(player) {
  byId("play").onclick = () => player.toggle();
  byId("back").onclick = () => player.jump(player.step - 1);
  byId("next").onclick = () => player.jump(player.step + 1);
  const slider = /** @type {HTMLInputElement} */ (byId("slider"));
  slider.oninput = () => player.jump(Number(slider.value) - 1);
  const everything = /** @type {HTMLInputElement} */ (byId("everything"));
  everything.onchange = () => player.showEverything(everything.checked);
  /** @type {Record<string, () => void>} */
  const keys = {
    " ": () => player.toggle(),
    ArrowRight: () => player.jump(player.step + 1),
    ArrowLeft: () => player.jump(player.step - 1),
    Home: () => player.jump(-1),
    End: () => player.jump(player.steps.length),
  };
  addEventListener("keydown", (event) => {
    const { key, target, ctrlKey, metaKey, altKey } = event;
    if (!(key in keys) || ctrlKey || metaKey || altKey || event.defaultPrevented) return;
    const element = /** @type {HTMLElement} */ (target);
    if (element.matches("input[type=range]") && key !== " ") return; // it moves by itself
    if (key === " " && element.matches("button, summary, a, input[type=checkbox]")) return;
    event.preventDefault();
    keys[key]();
  });
}
