// @ts-check
import { drawChat } from "./chat.js";
import { drawCallComparison, drawStoryComparison } from "./compare.js";
import { drawExamples } from "./examples.js";
import { drawMessage } from "./message.js";
import { drawServer } from "./server-page.js";
import { drawStories, drawStory } from "./stories.js";
import { drawTrial } from "./trial.js";

/**
 * The pages of the playground, one entry each. To add one, write a module with a function that draws it, and an entry here:
 *
 *     { pattern: "/chat", title: "Chat", draw: drawChat },
 *     { pattern: "/story/:server/:name", draw: drawStory },
 *
 * - `pattern` is its address behind the `#`; a part with a colon is anything, and arrives decoded in `params`.
 * - `title` puts a link to it above the list of servers, where `isShown(app)`, if there is one, says yes. Leave it away for
 *   pages that other pages link to.
 * - `draw({ place, params, query, app })` fills `place`, an empty element inside `#main`, and may return a function that is
 *   called when the person leaves. `query` is what stands behind a `?` in the address. `app` has `api` (ask the playground, hear
 *   its events), `list` (the servers with what they have), `activity` (the right side), `go(address)`, `trial` and `keys`.
 *
 * Make addresses with `addressOf("story", server, name)` of `router.js`: links with such an `href` and `app.go(address)` both
 * lead there, and the back button back. Draw again on an event of `app.api` only what changed, and stop listening on leaving.
 *
 * @type {import("./router.js").PageEntry[]}
 */
export const PAGES = [
  { pattern: "/examples", title: "Examples", isShown: (app) => app.list.servers.some(hasPicture), draw: drawExamples },
  { pattern: "/tool/:server/:name", draw: drawTrial("tool") },
  { pattern: "/resource/:server/:name", draw: drawTrial("resource") },
  { pattern: "/template/:server/:name", draw: drawTrial("template") },
  { pattern: "/prompt/:server/:name", draw: drawTrial("prompt") },
  { pattern: "/chat", title: "Chat", about: "Talk to the servers with a model, or with a script", draw: drawChat },
  { pattern: "/stories", title: "Stories", about: "Inputs that were saved, to see them again", draw: drawStories },
  { pattern: "/story/:server/:name", draw: drawStory },
  { pattern: "/server/:name", draw: drawServer },
  { pattern: "/compare/story/:server/:name", draw: drawStoryComparison },
  { pattern: "/compare/call/:call", draw: drawCallComparison },
  { pattern: "/message/:id", draw: drawMessage },
];

/** @param {Record<string, any>} server */
function hasPicture(server) {
  return Boolean(server.picture);
}
