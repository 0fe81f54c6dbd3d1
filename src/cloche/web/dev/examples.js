// @ts-check
import { make } from "../elements.js";
import { firstItem } from "./opening.js";
import { addressOfItem } from "./trial.js";

/**
 * The page of the examples that come with Cloche: a card with a picture for each.
 *
 * @param {import("./router.js").Visit} visit
 */
export function drawExamples({ place, app }) {
  const draw = () => place.replaceChildren(...partsOf(app));
  draw();
  return app.api.on("listed", draw);
}

/** @param {any} app */
function partsOf(app) {
  const shown = app.list.servers.filter((/** @type {any} */ one) => one.picture);
  const about = "Servers that come with Cloche, each one file. Try one here, then run cloche new for your own.";
  return [
    make("h2", {}, "Examples"),
    make("p", "about description", about),
    make("ul", "examples", ...shown.map(cardOf)),
  ];
}

/** @param {any} server */
function cardOf(server) {
  const first = firstItem([server]);
  return make(
    "li",
    {},
    make(
      "a",
      { class: "example", href: first ? addressOfItem(first) : "#/" },
      make("img", { src: server.picture, alt: "", width: 480, height: 300, loading: "lazy" }),
      make("b", {}, server.name),
      make("span", "about", server.about),
    ),
  );
}
