// A frame that goes on speaking after it has become another page.
const reborn = `<script>setTimeout(() => parent.postMessage({ jsonrpc: "2.0", method: "notifications/message",` +
  ` params: { level: "info", data: "won: another page speaks as the view" } }, "*"), 700)<\/script>`;

attacks.reload = async () => {
  if (name !== "reloaded") { // of the window, which a reload leaves; WebKit does not say that it was one
    name = "reloaded";
    await soon(200);
    location.reload();
  } else {
    await soon(300);
    won("speaks on after a reload");
  }
};
attacks["document-open"] = async () => {
  await soon(200); // so that what was said before is heard
  document.open();
  document.write(reborn);
  document.close();
};
attacks["blob-page"] = () => void (location = URL.createObjectURL(new Blob([reborn], { type: "text/html" })));
attacks["data-page"] = () => void (location = "data:text/html," + encodeURIComponent(reborn));
attacks["javascript-page"] = () => void (location = "javascript:" + JSON.stringify(reborn));
