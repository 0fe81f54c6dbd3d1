// What a policy lets through that a server has written.
const ways = {
  fetch: () => fetch(`${setup.http}/fetched`, { mode: "no-cors" }),
  image: () => (new Image().src = `${setup.http}/image`),
  stylesheet: () => element("link", { rel: "stylesheet", href: `${setup.http}/stylesheet` }),
  start: () => won("the page is shown"),
  serviceWorker: () => parent.navigator.serviceWorker.register("/sw.js").then(() => won("a service worker")),
  nothing: () => soon(200),
};
for (const name of [setup.name]) attacks[name] = () => ways[setup.how]();
