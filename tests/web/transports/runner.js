// @ts-check
/**
 * Runs the cases over one way to the reference server: each on a link of its own, each with a deadline, in both eras.
 * Those for which nothing is left of `total`, the milliseconds for all of them, fail at once.
 *
 * @typedef {{
 *   transport: import("../../../src/cloche/web/transports/base.js").Transport,
 *   rubbish?: (value: any) => void,
 *   close?: () => any,
 * }} Way the client's end, and what ends the rest
 */
import { McpClient } from "../../../src/cloche/web/client.js";
import { ANSWERS, CASES } from "./cases.js";

export const ERAS = ["2025-11-25", "2026-07-28"];
const DEADLINE = 20_000;

/**
 * @param {() => Promise<Way> | Way} open
 * @param {{
 *   only?: (name: string) => boolean, eras?: string[], deadline?: number, total?: number, Client?: typeof McpClient,
 * }} [options]
 * @returns {Promise<{name: string, failure: string | null}[]>}
 */
export async function runCases(
  open,
  { only = () => true, eras = ERAS, deadline = DEADLINE, total = Infinity, Client = McpClient } = {},
) {
  const outcomes = [];
  const end = performance.now() + total;
  for (const era of eras) {
    for (const { name, run } of CASES.filter((one) => only(`${one.name} (${era})`))) {
      const left = Math.min(deadline, end - performance.now());
      const failure = left <= 0 ? "no time was left" : await inTime(runCase(run, open, era, Client), left).then(
        () => null,
        (error) => String(error?.stack ?? error),
      );
      outcomes.push({ name: `${name} (${era})`, failure });
    }
  }
  return outcomes;
}

/**
 * @param {import("./cases.js").Case["run"]} run
 * @param {() => Promise<Way> | Way} open
 * @param {string} era
 * @param {typeof McpClient} Client
 */
async function runCase(run, open, era, Client) {
  const { transport, rubbish, close } = await open();
  const client = new Client(transport, { ...ANSWERS, versions: [era] });
  try {
    await client.connect();
    await run({ client, transport, rubbish });
  } finally {
    client.close();
    await close?.();
  }
}

/**
 * @template T
 * @param {Promise<T>} promise
 * @param {number} deadline
 */
async function inTime(promise, deadline) {
  /** @type {any} */
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`it took more than ${deadline} ms`)), deadline);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
