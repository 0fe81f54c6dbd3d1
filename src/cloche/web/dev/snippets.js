// @ts-check
/**
 * A request in other words: as JSON-RPC, as commands for a shell, as a Python program. Each runs as it is copied.
 *
 * @typedef {{method: string, params: Record<string, any>}} Request
 * @typedef {string | string[] | null} Target a URL, or the words of a command; null for an object in the playground's process
 * @typedef {{name: string, inputSchema?: any}} Tool
 */

/** Where `cloche run --http` serves, for servers that have no address of their own. */
const LOCAL = "127.0.0.1:8000";

/** The first version in which a request stands alone. */
const STATELESS = "2026-07-28";

/** Methods with a target, and the parameter that names it: a header repeats it. @type {Record<string, string>} */
const NAMED_BY = {
  "tools/call": "name",
  "prompts/get": "name",
  "resources/read": "uri",
  "tasks/get": "taskId",
  "tasks/update": "taskId",
  "tasks/cancel": "taskId",
};

const TYPES = ["content-type: application/json", "accept: application/json, text/event-stream"];

/** @param {Request} request */
export const asJson = ({ method, params }) => JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }, null, 2);

/** For a shell: what is inside single quotes is never read by it. @param {string} text */
const quoted = (text) => `'${text.replaceAll("'", `'\\''`)}'`;

/** Whether a server can be reached with curl: at its URL, or when `cloche run` serves its file. @param {Target} target */
export const takesCurl = (target) => typeof target === "string" || fileOf(target) !== undefined;

/** The file that `cloche run` runs. @param {Target} target */
const fileOf = (target) =>
  Array.isArray(target) && target[0] === "cloche" && target[1] === "run" ? target[2] : undefined;

/**
 * Commands that make the request: one in the era in which a request stands alone, else a handshake before it.
 *
 * @param {Request} request @param {Target} target @param {string} version of the protocol @param {Tool} [tool] that is called
 */
export function asCurl(request, target, version, tool) {
  const file = fileOf(target);
  const url = typeof target === "string" ? target : `http://${LOCAL}/mcp`;
  const start = file === undefined ? "" : `# first: cloche run ${quoted(file)} --http ${LOCAL}\n`;
  // What `cloche run` serves speaks every version.
  if (file !== undefined || version >= STATELESS) return start + standingAlone(request, url, tool);
  return afterHandshake(request, url, version);
}

/** @param {Request} request @param {string} url @param {Tool} [tool] */
function standingAlone({ method, params }, url, tool) {
  const own = withoutTokens(params);
  const body = { jsonrpc: "2.0", id: 1, method, params: { ...own, _meta: { ...own._meta, ...META } } };
  const name = own[NAMED_BY[method]];
  return curl(quoted(url), body, [
    `mcp-protocol-version: ${STATELESS}`,
    `mcp-method: ${method}`,
    ...(typeof name === "string" ? [`mcp-name: ${headerValue(name)}`] : []),
    ...(method === "tools/call" ? repeated(tool?.inputSchema, own.arguments) : []),
  ]);
}

/** @param {Request} request @param {string} url @param {string} version */
function afterHandshake({ method, params }, url, version) {
  const hello = { protocolVersion: version, capabilities: {}, clientInfo: { name: "curl", version: "1" } };
  const initialize = { jsonrpc: "2.0", id: 0, method: "initialize", params: hello };
  const known = [`mcp-protocol-version: ${version}`];
  const session = ` \\\n  -H "mcp-session-id: $session"`;
  return [
    `url=${quoted(url)}`,
    `session=$(${
      curl(`"$url" -D - -o /dev/null`, initialize)
    } \\\n  | tr -d '\\r' | sed -n 's/^[Mm][Cc][Pp]-[Ss]ession-[Ii]d: //p')`,
    curl(`"$url"`, { jsonrpc: "2.0", method: "notifications/initialized" }, known) + session,
    curl(`"$url"`, { jsonrpc: "2.0", id: 1, method, params: withoutTokens(params) }, known) + session,
  ].join("\n");
}

/** @param {string} where @param {object} body @param {string[]} [headers] */
function curl(where, body, headers = []) {
  const lines = [...TYPES, ...headers].map((one) => `-H ${quoted(one)}`);
  return [`curl -sS ${where}`, ...lines, `-d ${quoted(JSON.stringify(body))}`].join(" \\\n  ");
}

/** What only the connection that sent it could use: nobody reads the progress of a copy. @param {Record<string, any>} params */
function withoutTokens({ _meta, ...params }) {
  const { progressToken: _, ...meta } = _meta ?? {};
  return Object.keys(meta).length ? { ...params, _meta: meta } : params;
}

/** Arguments that headers repeat, where the tool says so. @param {any} schema @param {any} values @returns {string[]} */
function repeated(schema, values) {
  const members = Object.entries(schema?.properties ?? {});
  return members.flatMap(([name, member]) => {
    const value = values?.[name];
    if (value === undefined || value === null) return [];
    const header = member?.["x-mcp-header"];
    const own = typeof header === "string" ? [`mcp-param-${header.toLowerCase()}: ${headerValue(String(value))}`] : [];
    return [...own, ...repeated(member, value)];
  });
}

/** A text as a header can carry it. @param {string} text */
function headerValue(text) {
  if (/^[\x20-\x7e]*$/.test(text) && text === text.trim() && !/^=\?base64\?.*\?=$/.test(text)) return text;
  const bytes = Array.from(new TextEncoder().encode(text), (one) => String.fromCharCode(one)).join("");
  return `=?base64?${btoa(bytes)}?=`;
}

/** What a stateless request says of itself. */
const META = {
  "io.modelcontextprotocol/protocolVersion": STATELESS,
  "io.modelcontextprotocol/clientInfo": { name: "curl", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** @param {Request} request @param {Target} target */
export function asPython({ method, params }, target) {
  const where = target ?? ["cloche", "run", "server.py"];
  const call = method === "tools/call"
    ? `client.call_tool(${python(params.name)}, ${python(params.arguments ?? {})})`
    : `client.request(${python(method)}, ${python(withoutTokens(params))})`;
  return `import asyncio

from cloche import Client


async def main() -> None:
    async with Client(${python(where)}) as client:
        print(await ${call})


asyncio.run(main())
`;
}

/** A JSON value as Python writes it. @param {any} value @returns {string} */
function python(value) {
  if (value === null || value === undefined) return "None";
  if (value === true) return "True";
  if (value === false) return "False";
  if (Array.isArray(value)) return `[${value.map(python).join(", ")}]`;
  if (typeof value !== "object") return JSON.stringify(value);
  return `{${Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}: ${python(one)}`).join(", ")}}`;
}
