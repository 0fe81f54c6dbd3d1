// @ts-check
import { make } from "../elements.js";
import { listen } from "../host/sign-in.js";
import { byId } from "./elements.js";

/**
 * Servers that want the person to sign in stand over everything. The authorization server sends the browser back to a page
 * of the playground's address, which passes the answer on to this one.
 *
 * @typedef {{server: string, site: string, url: string}} Wanted
 */

/** @param {import("./api.js").Api} api */
export function showSignIns(api) {
  const draw = (/** @type {Wanted[]} */ wanted) => {
    byId("sign-ins").hidden = wanted.length === 0;
    byId("sign-ins").replaceChildren(...wanted.map(({ server, site, url }) =>
      make(
        "div",
        {},
        make("h2", {}, `${server} wants you to sign in`),
        make(
          "p",
          "actions",
          make("a", { href: url, target: "_blank", rel: "noopener noreferrer", title: url }, `Sign in at ${site}`),
          make("span", "about", "It opens in a new tab. The server is listed when you are back."),
        ),
      )
    ));
  };
  api.on("ready", ({ signIns }) => draw(signIns));
  api.on("sign-ins", ({ wanted }) => draw(wanted));
  listen((query) => api.ask("signed-in", { text: query }).catch(() => {})); // it may be another page's
}
