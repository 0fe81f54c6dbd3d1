/** Python on the thread of this frame, which serves the page around it. */
import { bootPython } from "/todo/web/python/boot.js";

const { page, serve } = await bootPython(new URL("/todo/", location.href));
const transport = new page.IframeChildTransport({ parentOrigin: location.origin });
await serve(transport);
