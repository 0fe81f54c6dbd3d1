// @ts-check
// For pages that show components of `cloche.components`.
import { startComponents } from "../components/index.js";

startComponents(/** @type {any} */ (globalThis).cloche);
