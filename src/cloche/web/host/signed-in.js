// @ts-check
import { passOn } from "./sign-in.js";

/** The page behind `{at}/oauth/callback`: it passes its query on, and forgets it. */

const query = location.search;
// The code in it works once and for one browser, and need not stay in the history all the same.
history.replaceState(null, "", location.pathname);
passOn(query);
const refused = new URLSearchParams(query).has("error");
/** @type {HTMLElement} */ (document.getElementById("text")).textContent = refused
  ? "The sign-in was refused. You can close this window and go back."
  : "You are signed in. You can close this window and go back.";
