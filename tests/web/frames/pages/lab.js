// @ts-check
/** The outer page of the tests: windows of every kind, and what the pages in them report beside the protocol. */
import { McpClient } from "../../../../src/cloche/web/client.js";
import * as F from "../../../../src/cloche/web/frames.js";

export { F, McpClient };

/** Set by the test: the same site at another port, and under another name. */
export const sites =
  /** @type {any} */ ({ own: location.origin, ...JSON.parse(sessionStorage.getItem("sites") ?? "{}") });

/** Where a page of each kind comes from, and what its frame is like. @type {Record<string, {site: string, sandbox?: string | null}>} */
export const KINDS = {
  "same origin": { site: "own", sandbox: null },
  "another origin": { site: "port" },
  "another site": { site: "name" },
  opaque: { site: "own" },
  "opaque of another origin": { site: "port", sandbox: "allow-scripts" },
  popup: { site: "port" },
};

let ids = 0;
/** @type {any[]} */
const reports = [];
addEventListener("message", ({ data }) => void (data?.report && reports.push(data.report)));

/** @param {() => any} condition @returns {Promise<any>} */
export async function until(condition) {
  const end = performance.now() + 15_000;
  for (;;) {
    const found = await condition();
    if (found) return found;
    if (performance.now() > end) throw new Error(`it did not come about: ${condition}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** @param {() => any} call */
export const thrown = async (call) => {
  try {
    await call();
  } catch (error) {
    return /** @type {any} */ (error);
  }
  throw new Error(`it did not throw: ${call}`);
};

/** Everything of one test: removed when it is over. */
export class Lab {
  /** @type {(() => void)[]} */
  #leave = [];

  /** @param {() => void} leave */
  later(leave) {
    this.#leave.push(leave);
  }

  close() {
    for (const leave of this.#leave.reverse()) leave();
  }

  /**
   * @param {string} kind
   * @param {Record<string, any>} [query] for the inner page
   * @param {Record<string, any>} [options] for the transport
   * @param {{page?: string, control?: any}} [more]
   */
  open(kind, query = {}, options = {}, { page = "server.html", control = {} } = {}) {
    const { site, ...own } = KINDS[kind];
    const id = String(++ids);
    const url = new URL(`/${page}`, sites[site]);
    const asked = { allow: location.origin, id, ...query };
    for (const [name, value] of Object.entries(asked)) {
      url.searchParams.set(name, typeof value == "string" ? value : JSON.stringify(value));
    }
    const windowControl = kind == "popup" ? new F.PopupWindowControl(control) : this.frame({ ...own, ...control });
    this.later(() => windowControl.destroy());
    const logger = new F.Logger("OUTER", "lab", () => {});
    const make = (/** @type {any} */ changed = {}) => {
      const transport = new F.OuterFrameTransport(windowControl, { url: url.href, logger, ...options, ...changed });
      this.later(() => transport.close());
      return transport;
    };
    const told = (/** @type {(report: any) => any} */ fits) =>
      until(() => reports.find((report) => report.id === id && fits(report)));
    return { url, control: windowControl, transport: make(), make, told };
  }

  /** @param {any} options */
  frame(options) {
    const iframe = document.createElement("iframe");
    document.body.append(iframe);
    this.later(() => iframe.remove());
    return new F.IframeWindowControl({ iframe, ...options });
  }
}

/** @param {any} transport @param {string} tool @param {any} [args] */
export async function call(transport, tool, args = {}) {
  const client = new McpClient(transport, { name: "lab", version: "1" });
  await client.connect();
  const result = await client.callTool(tool, args);
  return result.structuredContent ?? result.content?.[0]?.text;
}
