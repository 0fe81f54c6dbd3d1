// What a product's page does: start the visitor's server and offer it.
import { offerServer } from "/cloche/offer.js";

const { ticket, name } = document.body.dataset;
const worker = new Worker(`/worker.js?name=${name}`, { type: "module" });
const offered = offerServer({ ticket: String(ticket), transport: worker });
const told = () => {
  document.body.dataset.state = offered.state;
  document.body.dataset.error = offered.error?.code ?? "";
};
offered.addEventListener("statechange", told);
worker.addEventListener("message", ({ data }) => data.wrote && (document.body.dataset.wrote = data.wrote));
Object.assign(window, { offered, worker });
