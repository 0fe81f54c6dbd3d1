// @ts-check
/**
 * The service worker of a published site: it keeps the whole site in the browser, which then opens it at once, also without
 * a network. A new version is fetched whole while the one before goes on serving the tabs that are open, and takes
 * over when the last of them is closed. `cloche build` writes a line before this script that says what is kept.
 */

/** @type {any} */
const worker = self;
/** The files by name, with what they must be. @type {{version: string, files: Record<string, string>}} */
const { version, files } = worker.published;
const SCOPE = worker.registration.scope;
/** The page that views stand in. */
const STAGE = "stage.html";
const PLACE = `cloche ${SCOPE} `;

worker.addEventListener("install", (/** @type {any} */ event) => event.waitUntil(fill()));
worker.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(tidy()));
worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const name = nameOf(event.request);
  if (Object.hasOwn(files, name)) event.respondWith(kept(name, event.request));
});

/** All files or none: one that is not of this version, because the site is being written just now, ends it. */
async function fill() {
  const cache = await caches.open(PLACE + version);
  const wanted = Object.entries(files).map(([name, integrity]) =>
    new Request(SCOPE + name, { cache: "no-cache", integrity })
  );
  await cache.addAll(wanted);
}

/** No tab uses the versions before any more. */
async function tidy() {
  const names = await caches.keys();
  const old = names.filter((name) => name.startsWith(PLACE) && name != PLACE + version);
  await Promise.all(old.map((name) => caches.delete(name)));
}

/** @param {Request} request @returns {string} of the file that is asked for; empty when it is none of this site */
function nameOf({ method, url }) {
  const [address] = url.split(/[?#]/);
  if (method != "GET" || !address.startsWith(SCOPE)) return "";
  return address.slice(SCOPE.length) || "index.html";
}

/** @param {string} name @param {Request} request */
async function kept(name, request) {
  const cache = await caches.open(PLACE + version);
  const found = await cache.match(SCOPE + name) ?? await fetch(request);
  return name == STAGE ? withoutOrigin(found) : found;
}

/**
 * The page that views stand in has no origin. Where a frame says so, browsers ask no service worker for what is in it, so
 * without a network there would be nothing: here the page says it itself.
 *
 * @param {Response} found
 */
function withoutOrigin(found) {
  const headers = new Headers(found.headers);
  headers.append("Content-Security-Policy", "sandbox allow-scripts allow-forms");
  return new Response(found.body, { status: found.status, headers });
}
