// @ts-check
/**
 * Tell the host how tall the page wants to be, now and whenever that changes.
 *
 * @param {import("./adapter.js").ViewWindow} view
 * @param {(size: {width: number, height: number}) => void} send
 * @param {() => boolean} wanted
 * @returns {() => void} look again, and send even what was sent before
 */
export function watchSize(view, send, wanted) {
  const { document } = view;
  const root = document.documentElement;
  let sent = "";
  let queued = false;
  let room = 0;
  let excess = 0;
  let chased = 0;

  const measure = () => {
    queued = false;
    if (!wanted()) return;
    const height = naturalHeight(document);
    const width = Math.ceil(view.innerWidth);
    const more = height - view.innerHeight;
    // A page of 100vh and a margin is always taller than its frame: growing with it would never end.
    chased = room !== view.innerHeight && more === excess ? chased + 1 : 0;
    room = view.innerHeight;
    excess = more;
    const size = width + "x" + height;
    // A page as tall as its frame may be one that fills any frame, so after the first time there is nothing to say.
    if (size === sent || chased > 2 || (sent && !more)) return;
    sent = size;
    send({ width, height });
  };
  const queue = () => {
    if (!queued) view.requestAnimationFrame(measure);
    queued = true;
  };

  const resizes = new view.ResizeObserver(queue);
  resizes.observe(root);
  resizes.observe(document.body);
  // Where html and body are as tall as the frame, late content changes the size of neither.
  new view.MutationObserver(queue).observe(document.body, {
    subtree: true,
    childList: true,
    characterData: true,
    attributeFilter: ["class", "hidden", "open"],
  });
  document.addEventListener("load", queue, true);
  view.addEventListener("resize", queue);
  // At once, because a frame that is hidden until it has a size gets no animation frames.
  measure();
  return () => {
    sent = "";
    queue();
  };
}

/**
 * How tall the content is when html and body are not told to fill the frame. Looking must not scroll anything.
 *
 * @param {Document} document
 */
function naturalHeight({ documentElement: root }) {
  const scrolled = [...root.querySelectorAll("*")].filter((one) => one.scrollTop).map((one) => ({
    one,
    top: one.scrollTop,
  }));
  const { style } = root;
  const before = style.height;
  style.height = "max-content";
  const height = Math.ceil(root.getBoundingClientRect().height);
  style.height = before;
  for (const { one, top } of scrolled) one.scrollTop = top;
  return height;
}
