/** Python on the thread of this frame, which asks servers in JavaScript. */
import { bootPython } from "/asking/web/python/boot.js";

await bootPython(new URL("/asking/", location.href));
parent.postMessage("started", location.origin);
