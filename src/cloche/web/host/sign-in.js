// @ts-check
/**
 * How the answer to a sign-in gets from the page that the authorization server sent the browser back to, to a page of
 * the product in the same browser. That one knows who its user is; whoever was only sent a link has no such page.
 */

const CHANNEL = "cloche.sign-in";
const LONGEST = 8192;

/** @param {string} query */
export function passOn(query) {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(query);
  channel.close();
}

/** @param {(query: string) => void} heard @returns {() => void} stops listening */
export function listen(heard) {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }) => {
    if (typeof data === "string" && data.length <= LONGEST) heard(data);
  };
  return () => channel.close();
}
