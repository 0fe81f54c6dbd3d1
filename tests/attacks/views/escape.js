// Leaving the frame: the whole page, new windows, dialogs, files.
attacks["top-location"] = () => void (top.location = `${setup.http}/top`);
// Some browsers open windows, and let links lead the whole page away, for a click only.
const alsoAtAClick = (act) => (addEventListener("click", (event) => event.isTrusted && act()), act());
attacks["top-link"] = () => {
  const link = element("a", { href: `${setup.http}/top-link`, target: "_top", textContent: "x" });
  alsoAtAClick(() => link.click());
};
attacks["top-form"] = () => {
  add(`<form target="_top" action="${setup.http}/top-form"></form>`);
  document.forms[0].submit();
};
attacks["top-of-child"] = () => {
  element("iframe", { srcdoc: `<script>top.location = "${setup.http}/from-child"<\/script>` });
};
attacks["top-about-blank"] = () => void (top.location = "about:blank");
attacks.popup = () => alsoAtAClick(() => window.open(`${setup.http}/popup`));
attacks["popup-blank"] = () =>
  alsoAtAClick(() => {
    const opened = window.open("about:blank");
    if (opened) opened.location = `${setup.http}/popup-blank`;
  });
attacks.alert = () => alert("alert");
attacks.confirm = () => confirm("confirm");
attacks.download = () => {
  const href = URL.createObjectURL(new Blob(["MZ"], { type: "application/octet-stream" }));
  element("a", { href, download: "download.exe", textContent: "x" }).click();
};
attacks["download-data"] = () => {
  element("a", { href: "data:application/octet-stream,MZ", download: "download-data.exe", textContent: "x" }).click();
};
attacks.fullscreen = async () => {
  await new Promise((clicked) => addEventListener("click", clicked));
  await document.documentElement.requestFullscreen();
  won("the whole screen");
};
attacks["sandbox-in-metadata"] = () => won("the proxy's page: " + parent.document.title);
