// Reaching what is not the view's: the proxy around it, views beside it, the host's page, and what they store.
const everyFrame = (from, found = []) => {
  for (let index = 0; index < from.length; index++) {
    found.push(from[index]);
    everyFrame(from[index], found);
  }
  return found;
};
const readable = (frame) => {
  try {
    return frame.document.documentElement.outerHTML;
  } catch {
    return null;
  }
};
/** Runs code in another window, if it lets us put it there. */
const run = (frame, code) => {
  const script = frame.document.createElement("script");
  script.textContent = code;
  frame.document.documentElement.append(script);
};
const eventually = async (look) => {
  for (let turn = 0; turn < 40; turn++) {
    const found = look();
    if (found) return found;
    await soon(50);
  }
  return null;
};

attacks["proxy-dom"] = () => won("the proxy's page: " + parent.document.title);
attacks["proxy-script"] = () => {
  run(parent, "window.owned = 1");
  if (parent.owned) won("code in the proxy");
};
attacks["proxy-listener"] = () => {
  parent.addEventListener("message", () => 0);
  won("hears what the proxy hears");
};
attacks["own-frame-element"] = () => {
  frameElement.removeAttribute("sandbox");
  won("took off its own sandbox");
};
attacks["sibling-dom"] = async () => {
  const others = () => everyFrame(top).filter((frame) => frame !== window && frame !== parent);
  const found = await eventually(() => others().map(readable).find((html) => html?.includes("setup")));
  if (found) won("another view's page");
};
attacks["sibling-function"] = async () => {
  const isOther = (frame) => frame !== window && readable(frame)?.includes("attempt()");
  const other = await eventually(() => everyFrame(top).find(isOther));
  run(other, "window.owned = 1");
  if (other.owned) won("code in another view");
};
// Two copies of each of these are on the page: whoever finds the other's mark has won.
const me = crypto.randomUUID();
const others = (found) => typeof found === "string" && found !== me && won("the other view's mark");
attacks["local-storage"] = async () => {
  const key = "mark-" + Math.random();
  localStorage.setItem(key, me);
  await eventually(() => others(Object.entries({ ...localStorage }).find(([, value]) => value !== me)?.[1]));
};
attacks["session-storage"] = async () => {
  sessionStorage.setItem("mark-" + Math.random(), me);
  await eventually(() => Object.values({ ...sessionStorage }).some(others));
};
attacks["indexed-db"] = () =>
  new Promise((done, failed) => {
    const opening = indexedDB.open("marks");
    opening.onerror = failed;
    opening.onupgradeneeded = () => opening.result.createObjectStore("marks");
    opening.onsuccess = async () => {
      const store = () => opening.result.transaction("marks", "readwrite").objectStore("marks");
      store().put(me, me);
      await eventually(() => {
        const all = store().getAll();
        all.onsuccess = () => all.result.some(others);
      });
      done();
    };
  });
attacks["cache-storage"] = async () => {
  const cache = await caches.open("marks");
  await cache.put("https://marks.example/" + me, new Response(me));
  for (let turn = 0; turn < 20; turn++) {
    for (const request of await cache.keys()) others(request.url.split("/").pop());
    await soon(50);
  }
};
attacks["broadcast-channel"] = async () => {
  const channel = new BroadcastChannel("marks");
  channel.onmessage = ({ data }) => others(data);
  for (let turn = 0; turn < 20; turn++) {
    channel.postMessage(me);
    await soon(50);
  }
};
attacks["web-locks"] = async () => {
  // Firefox has no list of locks for frames of other sites, and still lets them wait for each other.
  const hold = (lock) => lock ? soon(1500) : won("the other view holds the lock");
  await Promise.allSettled([listLocks(), navigator.locks.request("mark", { ifAvailable: true }, hold)]);
};
const listLocks = () =>
  navigator.locks.request("mark-" + me, async () => {
    for (let turn = 0; turn < 20; turn++) {
      const { held } = await navigator.locks.query();
      held.forEach(({ name }) => name.startsWith("mark-") && others(name.slice(5)));
      await soon(50);
    }
  });
// The host's page itself.
attacks["host-dom"] = () => won("read " + top.document.getElementById("secret").textContent);
attacks["host-variable"] = () => won("read " + top.secret);
attacks["host-storage"] = () => {
  const found = top.localStorage.getItem("token");
  if (found === setup.hostSecret) won("read " + found);
};
attacks["host-cookie"] = () => {
  const found = top.document.cookie;
  if (found.includes(setup.hostSecret)) won("read " + found);
};
attacks["host-script"] = () => {
  run(top, "document.title = 'owned'");
  if (top.document.title === "owned") won("code in the host's page");
};
attacks["other-server-dom"] = async () => {
  // Firefox counts frames in shadow roots, this one as well: and what it looks for stands in its own script.
  const others = () => everyFrame(top).filter((frame) => frame !== window);
  const found = await eventually(() => others().map(readable).find((html) => html?.includes("victim's view")));
  if (found) won("the page of another server's view");
};
// A view with a permission has an origin, and the proxy has the same one.
const leave = (frame) => run(frame, `location = ${JSON.stringify(setup.http + "/proxy?d=stolen")}`);
/** The outermost window that can be touched: between a view and its proxy there may be empty frames. */
const outermost = (frame) => readable(frame.parent) === null ? frame : outermost(frame.parent);
attacks["permission-then-away"] = () => leave(outermost(parent));
// The page around that one, right below the host's, has another.
const below = (frame) => frame.parent === top ? frame : below(frame.parent);
attacks["permission-then-away-outside"] = () => leave(below(parent));
