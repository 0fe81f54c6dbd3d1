// @ts-check
/** The script of a published server's page: alone in a tab it is a host for itself, in a frame or popup a server by URL. */
import { isInWindowContext } from "../frames/inner-control.js";
import { aboutServer } from "./about.js";
import { showServer } from "./direct.js";
import { serveInside } from "./inside.js";

if (isInWindowContext()) serveInside(aboutServer());
else showServer(aboutServer());
