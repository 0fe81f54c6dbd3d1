// @ts-check
import { draftOf } from "../form/fields.js";
import { FormError, SchemaForm } from "../form/form.js";
import { dataOf } from "./data.js";

/**
 * A form whose fields come from a JSON Schema. What was filled in goes to a tool, or to the instance as an event.
 *
 * @param {HTMLElement} element @param {import("./index.js").Bridge} bridge
 */
export function form(element, bridge) {
  const { schema, values, tool, done } = dataOf(element, "form");
  const fields = new SchemaForm(schema);
  // Fields that are not named keep their defaults.
  if (values) fields.write({ ...draftOf(fields.body), ...values });
  element.querySelector(".cc-fields")?.replaceChildren(fields.element);
  const problem = /** @type {HTMLElement} */ (element.querySelector(":scope > .problem"));
  const said = /** @type {HTMLElement} */ (element.querySelector(".cc-said"));
  const button = /** @type {HTMLButtonElement} */ (element.querySelector(".cc-main"));
  const instance = /** @type {HTMLElement | null} */ (element.closest("[data-instance]"))?.dataset.instance;

  const send = async () => {
    problem.textContent = said.textContent = "";
    try {
      const answers = fields.read();
      if (!tool && !instance) throw Error("This form has no tool that takes its answers");
      button.disabled = true;
      const { content = [], isError } = tool
        ? await bridge.callTool(tool, answers)
        : await bridge.callTool("instance-event", { id: instance, event: "submit", data: answers });
      const text = content.find((/** @type {any} */ block) => block.text)?.text;
      if (isError) throw Error(text || "The tool failed");
      said.textContent = tool && text || done;
    } catch (/** @type {any} */ error) {
      // A field that is wrong says so itself.
      if (!(error instanceof FormError) || !error.element) problem.textContent = error.message;
    } finally {
      button.disabled = false;
    }
  };
  // Where a frame may not submit forms, Chromium fires no `submit`: the click is taken instead, and Enter clicks.
  button.type = "button";
  button.onclick = send;
  element.addEventListener("submit", (event) => {
    event.preventDefault();
    send();
  });
  // Taken on the way down: the fields for text would have the browser submit the form.
  element.addEventListener("keydown", (event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    const isField = target.matches("input:not([type=checkbox]), textarea.lines");
    if (event.key !== "Enter" || event.shiftKey || event.isComposing || !isField) return;
    event.preventDefault();
    event.stopPropagation();
    send();
  }, true);
}
