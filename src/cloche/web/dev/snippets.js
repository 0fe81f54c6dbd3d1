// @ts-check
/**
 * A request in other words: as JSON-RPC, as a curl command, as a Python program.
 *
 * @typedef {{method: string, params: Record<string, any>}} Request
 * @typedef {string | string[] | null} Target a URL, or the words of a command; null for an object in the playground's process
 */

/** Where `cloche run --http` serves, for servers that have no address of their own. */
const LOCAL = "http://127.0.0.1:8000/mcp";

/** @param {Request} request */
export const asJson = ({ method, params }) => JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }, null, 2);

/** For a shell: what is inside single quotes is never read by it. @param {string} text */
const quoted = (text) => `'${text.replaceAll("'", `'\\''`)}'`;

/** @param {Request} request @param {Target} target @param {string} version of the protocol */
export function asCurl({ method, params }, target, version) {
  const url = typeof target === "string" ? target : LOCAL;
  const body = { jsonrpc: "2.0", id: 1, method, params: { ...params, _meta: { ...params._meta, ...meta(version) } } };
  const name = params.name ?? params.uri;
  const headers = [
    "content-type: application/json",
    "accept: application/json, text/event-stream",
    `mcp-protocol-version: ${version}`,
    `mcp-method: ${method}`,
    ...(typeof name === "string" && isPlain(name) ? [`mcp-name: ${name}`] : []),
  ];
  const lines = [
    `curl ${quoted(url)}`,
    ...headers.map((one) => `-H ${quoted(one)}`),
    `-d ${quoted(JSON.stringify(body))}`,
  ];
  const start = typeof target === "string" ? "" : `# first: cloche run FILE --http 127.0.0.1:8000\n`;
  return start + lines.join(" \\\n  ");
}

/** Whether a header can say it as it is. @param {string} text */
const isPlain = (text) => /^[\x21-\x7e]*$/.test(text);

/** What a stateless request says of itself. @param {string} version */
const meta = (version) => ({
  "io.modelcontextprotocol/protocolVersion": version,
  "io.modelcontextprotocol/clientInfo": { name: "curl", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
});

/** @param {Request} request @param {Target} target */
export function asPython({ method, params }, target) {
  const where = target ?? ["cloche", "run", "server.py"];
  const call = method === "tools/call"
    ? `client.call_tool(${python(params.name)}, ${python(params.arguments ?? {})})`
    : `client.request(${python(method)}, ${python(params)})`;
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
