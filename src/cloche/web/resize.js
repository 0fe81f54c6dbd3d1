// @ts-check
/**
 * Tell the host how tall the page wants to be, now and whenever that changes.
 *
 * @param {(size: {width: number, height: number}) => void} send
 * @returns {() => void} look again, and send even what was sent before
 */
export const watchSize = (send) => {
  const { body, documentElement: root } = document;
  const { style } = root;
  let sent = 0;
  let queued = 0;
  let excess = 0;
  /** @type {Set<number>} heights of the frame in which the page was taller by this excess */
  let frames = new Set();

  const measure = () => {
    queued = 0;
    // How tall the content is when html and body are not told to fill the frame. Looking must not scroll anything.
    /** @type {[Element, number][]} */
    const scrolled = [...document.all].map((one) => [one, one.scrollTop]);
    const before = style.height;
    style.height = "max-content";
    const height = root.offsetHeight;
    const more = height - innerHeight;
    style.height = before;
    for (const [one, top] of scrolled) one.scrollTop = top;
    if (more != excess) frames = new Set();
    excess = more;
    frames.add(innerHeight);
    // A page as tall as its frame may be one that fills any frame, so after the first time there is nothing to say. A
    // page of 100vh and a margin is always taller than its frame: growing with it would never end.
    if (height != sent && frames.size < 4 && (more || !sent)) send({ height: sent = height, width: innerWidth });
  };
  const queue = () => queued ||= requestAnimationFrame(measure);

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
};
