// @ts-check
/**
 * Tell the host how tall the page wants to be, now and whenever that changes.
 *
 * @param {(size: {width: number, height: number}) => void} send
 * @param {() => boolean} wanted
 * @returns {() => void} look again, and send even what was sent before
 */
export function watchSize(send, wanted) {
  const { body, documentElement: root } = document;
  let sent = 0;
  let queued = 0;
  let room = 0;
  let excess = 0;
  let chased = 0;

  const measure = () => {
    queued = 0;
    if (!wanted()) return;
    const height = naturalHeight(root);
    const more = height - innerHeight;
    // A page of 100vh and a margin is always taller than its frame: growing with it would never end.
    chased = more !== excess ? 0 : room !== innerHeight ? chased + 1 : chased;
    room = innerHeight;
    excess = more;
    // A page as tall as its frame may be one that fills any frame, so after the first time there is nothing to say.
    if (height === sent || chased > 2 || (sent && !more)) return;
    sent = height;
    send({ width: innerWidth, height });
  };
  const queue = () => {
    queued ||= requestAnimationFrame(measure);
  };

  const sizes = new ResizeObserver(queue);
  sizes.observe(root);
  sizes.observe(body);
  // Where html and body are as tall as the frame, late content changes the size of neither.
  new MutationObserver(queue).observe(body, { subtree: true, childList: true, attributes: true });
  addEventListener("load", queue, true);
  // At once, because a frame that is hidden until it has a size gets no animation frames.
  measure();
  return () => {
    sent = 0;
    queue();
  };
}

/**
 * How tall the content is when html and body are not told to fill the frame. Looking must not scroll anything.
 *
 * @param {HTMLElement} root
 */
function naturalHeight(root) {
  const scrolled = [...root.querySelectorAll("*")].map((one) => ({ one, top: one.scrollTop })).filter(({ top }) => top);
  const { style } = root;
  const before = style.height;
  style.height = "max-content";
  const height = Math.ceil(root.getBoundingClientRect().height);
  style.height = before;
  for (const { one, top } of scrolled) one.scrollTop = top;
  return height;
}
