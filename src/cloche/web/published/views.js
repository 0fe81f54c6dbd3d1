// @ts-check
/**
 * The views of the server's tools: which call has one, its HTML from the server in this tab, and where it stands.
 *
 * @typedef {import("./about.js").Tool} Tool
 * @typedef {import("./view-server.js").ViewServer} ViewServer
 * @typedef {import("../frames/storage.js").SessionStorage} SessionStorage
 */
import { make } from "../elements.js";
import { Asking } from "./asking.js";
import { KeptStates } from "./kept-states.js";
import { ShownView } from "./shown-view.js";

const SCHEME = "ui://";
const PAGE = /^text\/html(\s*;|$)/i;
/** Characters of a view's HTML. */
const LARGEST = 10_000_000;

export class Views {
  /**
   * @param {Record<string, string>} policies of the views that the server had when it was built, by URI
   * @param {ViewServer} server
   * @param {SessionStorage} storage
   */
  constructor(policies, server, storage) {
    this.policies = policies;
    this.server = server;
    this.states = new KeptStates(storage);
  }

  /** A place for the views of one tool. */
  room() {
    return new ViewRoom(this);
  }
}

/** Where the views of a tool stand, one after the other. */
export class ViewRoom {
  /** @type {ShownView | undefined} */
  #view;
  /** Which call it is that has the room. */
  #turn = 0;

  /** @param {Views} views */
  constructor(views) {
    this.views = views;
    this.stage = make("div", "stage");
    this.problem = make("p", { class: "problem", role: "alert" });
    this.questions = make("div");
    this.element = make("div", { class: "view-room", hidden: true }, this.stage, this.problem, this.questions);
    this.asking = new Asking(this.questions);
  }

  /**
   * A tool is called: its view is shown while it runs.
   *
   * @param {Tool} tool
   * @param {Record<string, any>} input
   * @returns {{finish: (result: any) => boolean, cancel: (reason: string) => void}} `finish` says whether there is a view
   */
  begin(tool, input) {
    this.close();
    const turn = this.#turn;
    const uri = viewOf(tool);
    /** @type {any} */
    let outcome;
    const opened = uri && this.#open(turn, tool, input, uri, () => this.#read(uri));
    return {
      finish: (result) => {
        const own = embedded(result);
        const linked = own?.uri ?? viewOf(result) ?? uri;
        if (!linked || turn !== this.#turn) return !!linked;
        outcome = linked === uri && !own
          ? opened
          : this.#open(turn, tool, input, linked, () => own ?? this.#read(linked));
        Promise.resolve(outcome).then((view) => view?.finish(result));
        return true;
      },
      cancel: (reason) => void Promise.resolve(opened).then((view) => view && view.cancel(reason)),
    };
  }

  /** Nothing is shown any more. */
  close() {
    this.#turn++;
    this.#view?.remove();
    this.#view = undefined;
    this.problem.textContent = "";
    this.element.hidden = true;
  }

  /**
   * @param {number} turn
   * @param {Tool} tool
   * @param {Record<string, any>} input
   * @param {string} uri
   * @param {() => any} content what is there, or will be
   */
  async #open(turn, tool, input, uri, content) {
    const { policies, server, states } = this.views;
    this.element.hidden = false;
    try {
      const html = textOf(await content());
      if (turn !== this.#turn) return;
      this.#view?.remove();
      const policy = Object.hasOwn(policies, uri) ? policies[uri] : policies[""];
      const state = states.of(tool.name, input);
      const ended = (/** @type {string} */ text) => this.problem.textContent = text;
      const { asking, stage: room } = this;
      return this.#view = new ShownView({ html, policy, tool, input, server, asking, state, room, ended });
    } catch (error) {
      if (turn === this.#turn) {
        this.problem.textContent = `There is no view: ${/** @type {any} */ (error)?.message ?? error}`;
      }
    }
  }

  /** @param {string} uri */
  async #read(uri) {
    const { contents } = await this.views.server.read({ uri });
    return contents?.[0];
  }
}

/** Where a tool, or a result, leads. @param {any} thing @returns {string | undefined} */
export function viewOf({ _meta }) {
  return [_meta?.ui?.resourceUri, _meta?.["ui/resourceUri"]].find((one) =>
    typeof one === "string" && one.startsWith(SCHEME)
  );
}

/** A page inside a result. @param {any} result @returns {any} */
function embedded(result) {
  const blocks = Array.isArray(result?.content) ? result.content : [];
  return blocks.map((/** @type {any} */ one) => one?.type === "resource" && one.resource)
    .find((/** @type {any} */ one) => one && String(one.uri).startsWith(SCHEME) && PAGE.test(one.mimeType));
}

/** The HTML of a view. @param {any} content */
function textOf(content) {
  const { text, blob, mimeType } = content ?? {};
  if (!PAGE.test(mimeType)) throw new Error(`the server gives no page for it, but ${String(mimeType).slice(0, 60)}`);
  const html = typeof text === "string" ? text : decoded(String(blob));
  if (html.length > LARGEST) throw new Error(`it has more than ${LARGEST} characters`);
  return html;
}

/** @param {string} blob */
const decoded = (blob) => new TextDecoder().decode(Uint8Array.from(atob(blob), (one) => one.charCodeAt(0)));
