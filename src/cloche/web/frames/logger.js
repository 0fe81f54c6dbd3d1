// @ts-check
/**
 * What happens in the two phases, as entries that a program can keep: who (`context`, `component`), what kind of step
 * (`operation`), a sentence, and details. Messages of MCP are named by method and id, never written out: they may hold
 * what nobody should find in a log.
 *
 * @typedef {"CLIENT" | "CLIENT-SDK" | "SERVER" | "SERVER-SDK" | "INNER" | "OUTER"} Context
 * @typedef {"INIT" | "REQ" | "RESP" | "ERROR"} Operation
 * @typedef {{time: number, context: Context, component: string, operation: Operation, message: string,
 *   details?: Record<string, unknown>}} Entry
 * @typedef {(entry: Entry) => void} Sink
 */

/** @param {Entry} entry */
const toConsole = ({ context, component, operation, message, details }) =>
  console[operation == "ERROR" ? "warn" : "debug"](
    `[${context}][${component}][${operation}] ${message}`,
    details ?? "",
  );

export class Logger {
  /** @param {Context} context @param {string} [component] @param {Sink} [sink] where entries go, else the console */
  constructor(context, component = "transport", sink = toConsole) {
    this.context = context;
    this.component = component;
    this.sink = sink;
  }

  /** A logger for another part of the same side. @param {string} component */
  for(component) {
    return new Logger(this.context, component, this.sink);
  }

  /** @param {Operation} operation @param {string} message @param {Record<string, unknown>} [details] */
  log(operation, message, details) {
    const { context, component } = this;
    this.sink({ time: Date.now(), context, component, operation, message, ...details && { details } });
  }

  /** Something begins. @param {string} message @param {Record<string, unknown>} [details] */
  init(message, details) {
    this.log("INIT", message, details);
  }

  /** Something is sent. @param {string} message @param {Record<string, unknown>} [details] */
  request(message, details) {
    this.log("REQ", message, details);
  }

  /** Something has arrived. @param {string} message @param {Record<string, unknown>} [details] */
  response(message, details) {
    this.log("RESP", message, details);
  }

  /** Something went wrong. @param {string} message @param {Record<string, unknown>} [details] */
  error(message, details) {
    this.log("ERROR", message, details);
  }
}

/** What may be said of a message in a log. @param {Record<string, any>} message */
export const outline = ({ type, payload, error, reason }) => ({
  type,
  ...payload && { method: payload.method, id: payload.id },
  ...(error ?? reason) && { code: error?.code ?? reason },
});
