// @ts-check
/** The script of a published server's page: alone in a tab it is a host for itself, in a frame or popup a server by URL. */
import { byId } from "../dev/elements.js";
import { isInWindowContext } from "../frames/inner-control.js";
import { aboutServer } from "./about.js";
import { showServer } from "./direct.js";
import { serveInside } from "./inside.js";

// What keeps this script or the style sheet from being loaded is said by the page itself, after a while. A browser loads
// neither when it was changed on its host.
if (document.styleSheets[0]?.cssRules.length) {
  byId("not-started").remove();
  if (isInWindowContext()) serveInside(aboutServer());
  else showServer(aboutServer());
}
