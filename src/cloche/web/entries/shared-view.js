// @ts-check
// In front of a view of a shared recording; it takes itself and what it was told out of what the view sees.
import { prepareView } from "../share/view-script.js";

document.currentScript?.remove();
const setup = /** @type {any} */ (window).clocheShared;
delete (/** @type {any} */ (window).clocheShared);
prepareView(window, setup);
