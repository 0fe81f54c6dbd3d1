// @ts-check
// Interaction without JavaScript: `data-tool` on any element calls a tool, and what comes back replaces `data-target`.
// Stands on `window.cloche` (view.js). docs/views-without-javascript.md says what each attribute means.

/**
 * @typedef {{content?: any[], isError?: boolean, _meta?: Record<string, any>}} Result
 * @typedef {object} Bridge
 * @property {(name: string, args?: object) => Promise<Result>} callTool
 *
 * What is known of an element; it goes to the element that replaces it.
 * @typedef {object} State
 * @property {any} place
 * @property {number} busy  how many calls it waits for
 * @property {number} [shown]  the number of the call whose answer it shows
 * @property {number} [typed]  how many calls there had been when a person last typed into it
 * @property {Promise<unknown>} [last]  the end of the last call for it, and of those before
 * @property {ReturnType<typeof setTimeout>} [timer]
 */

/**
 * Call tools for the elements that ask for it: those that are there, and those that come later.
 * @param {Bridge} bridge
 */
export function interact(bridge) {
  let calls = 0;

  /** @param {any} element @returns {State} */
  const stateOf = (element) => element.cloche ??= { place: element, busy: 0 };

  /** @param {any} event */
  const handle = (event) => {
    const { type, target, key } = event;
    if (type == "input") stateOf(target).typed = calls;
    // Where a frame may not submit forms, Chromium fires no `submit`: what leads to one is handled instead. Enter
    // clicks the form's button; where there is none, Enter itself is taken.
    const button = type == "click" ? target.closest("button,[type=submit]") : event.submitter;
    const form = type == "submit" ? target : button?.type == "submit" ? button.form : key == "Enter" && target.form;
    const caller = target.closest("[data-trigger~=" + type + "]") || form && form.closest("[data-trigger~=submit]");
    if (event.defaultPrevented || !caller) return;
    if (
      key && form && (event.isComposing || target.type == "textarea" || [...form].some((one) => one.type == "submit"))
    ) return;
    if (form || target.closest("a")) event.preventDefault();
    if (form && !form.noValidate && !button?.formNoValidate && !form.reportValidity()) return;
    clearTimeout(stateOf(caller).timer);
    stateOf(caller).timer = setTimeout(call, type == "input" ? 150 : 0, caller, form || caller, button);
  };

  /** What a field gives, typed by what it is; nothing when it is left empty. @param {any} field @param {any} before */
  const valueOf = (field, before) => {
    const { type, value, checked, files } = field;
    if (type == "checkbox") return field.hasAttribute("value") ? (before || []).concat(checked ? value : []) : checked;
    // Only fields for plain text have a selection, and only there is nothing a value.
    if (type == "radio" && !checked || !value && !files && field.selectionStart === null) return before;
    const all = files || type == "select-multiple" && field.selectedOptions;
    if (!all) return /number|range/.test(type) ? +value : "json" in field.dataset ? JSON.parse(value) : value;
    return Promise.all(Array.from(all, (one) => files ? encoded(one) : one.value)).then((all) =>
      field.multiple ? all : all[0]
    );
  };

  /** @param {File} file */
  const encoded = (file) =>
    new Promise((done) => {
      const reader = new FileReader();
      reader.onload = () =>
        done({ name: file.name, mimeType: file.type, data: /** @type {any} */ (reader.result).replace(/^[^,]*,/, "") });
      reader.readAsDataURL(file);
    });

  /**
   * Call the tool of an element, and show what comes back in its place.
   * @param {any} caller
   * @param {any} form  the form whose fields are the arguments, or a field alone
   * @param {any} [button]
   */
  const call = (caller, { elements = [caller] }, button) => {
    const { tool, args = "{}", target, swap } = caller.dataset;
    const near = (target || "").split("closest ")[1];
    const place = near ? caller.closest(near) : target ? document.querySelector(target) : caller;
    const number = ++calls;
    const state = stateOf(place || caller);
    const before = state.last;
    /** @param {number} more */
    const busy = (more) => {
      for (const one of [caller, state.place]) {
        const known = stateOf(one);
        known.busy += more;
        one.ariaBusy = known.busy ? "true" : null;
      }
    };
    const run = async () => {
      const found = JSON.parse(args);
      for (const field of elements) {
        const { name, type } = field;
        if (name && !field.matches(":disabled") && (field == button || !/submit|button|reset/.test(type))) {
          found[name] = await valueOf(field, found[name]);
        }
      }
      if (!place) throw "data-target finds nothing: " + target;
      const { content = [], isError, _meta } = await bridge.callTool(tool, found);
      const text = content.find((block) => block.text)?.text;
      if (isError) throw text;
      if (/pend/.test(swap)) await before;
      // HTML is what the server says is HTML. Any other text is text, whatever it looks like.
      const html = _meta?.["cloche/html"] ??
        content.find(({ resource }) => /html/.test(resource?.mimeType))?.resource.text;
      const template = document.createElement("template");
      if (html == null) template.content.append(text || "");
      else template.innerHTML = html;
      put(state, template.content, swap, number);
    };
    busy(1);
    state.last = run().catch((error) => error?.message || error || "The tool failed").then((error) => {
      busy(-1);
      tell(caller, error);
      return before;
    });
  };

  /**
   * Put content into its place, unless something newer is there, and leave the person where they were.
   * @param {State} state
   * @param {any} content
   * @param {string} swap
   * @param {number} number
   */
  const put = (state, content, swap, number) => {
    const target = state.place.isConnected ? state.place : document.getElementById(state.place.id);
    for (let one = target; one; one = one.parentElement) if (one.cloche?.shown > number) return;
    if (!target || swap == "none") return;
    const scope = swap == "outer" ? target.parentElement : target;
    /** @type {any} */
    const active = document.activeElement;
    const { id, name, localName, value, selectionStart, selectionEnd } = active;
    /** What is like the element that has the focus. */
    const peers = () => [...scope.getElementsByTagName(localName)].filter((one) => one.id == id && one.name == name);
    const at = peers().indexOf(active);
    const scrolled = Array.from(scope.querySelectorAll("[id]"), (one) => [one.id, one.scrollLeft, one.scrollTop]);
    state.shown = number;
    if (scope != target) (state.place = content.firstElementChild || target).cloche = state;
    target[scope != target ? "replaceWith" : /pend/.test(swap) ? swap : "replaceChildren"](content);
    for (const [id, left, top] of scrolled) document.getElementById(id)?.scrollTo(left, top);
    const next = peers()[at] || at >= 0 && peers().pop();
    if (!next) return;
    next.focus({ preventScroll: true });
    if (active.cloche?.typed >= number) next.value = value;
    if (selectionStart != null) next.setSelectionRange(selectionStart, selectionEnd);
  };

  /** Say beside an element what went wrong, or that all is well again. @param {any} caller @param {string} [error] */
  const tell = (caller, error = "") => {
    caller.toggleAttribute("data-error", error);
    // A box shows what is, and that did not change.
    if (error && caller.type == "checkbox") caller.checked = !caller.checked;
    if (!caller.isConnected) caller = document.body.lastElementChild;
    let region = caller.nextElementSibling;
    if (error && region?.role != "alert") {
      caller.after(region = document.createElement("p"));
      region.role = "alert";
    }
    if (region?.role == "alert") region.textContent = error;
  };

  /** Elements may have come: give each its event, and call those that want it at once. */
  const scan = () => {
    for (const one of /** @type {NodeListOf<any>} */ (document.querySelectorAll("[data-tool]"))) {
      one.dataset.trigger ||= one.elements
        ? "submit"
        : /input|select|textarea/.test(one.localName)
        ? "change"
        : "click";
      if (one.matches("[data-trigger~=load]")) stateOf(one).timer ??= setTimeout(call, 0, one, one);
    }
  };
  new MutationObserver(scan).observe(document, { childList: true, subtree: true });
  for (const type of ["click", "submit", "change", "input", "keydown", "store"]) {
    document.addEventListener(type, handle);
  }
  scan();
}

interact(/** @type {any} */ (globalThis).cloche);
