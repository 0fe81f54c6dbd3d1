/** Python on the thread of this frame, which makes its transports itself. */
import { bootPython } from "/everywhere/web/python/boot.js";

await bootPython(new URL("/everywhere/", location.href));
parent.postMessage("started", location.origin);
