// Loaded into Playwright's driver, which otherwise ends, and takes every browser of the process along, when a frame is
// removed in the moment in which Chromium tells of a script context in it: a race in Playwright 1.65, which attacks that
// remove and replace frames run into. The event is of no use to anybody by then.
"use strict";

if (process.argv.includes("run-driver")) {
  process.on("unhandledRejection", (error) => {
    if (error instanceof Error && error.message == "Frame has been detached.") return;
    console.error(error);
    process.exit(1); // as without a handler
  });
}
