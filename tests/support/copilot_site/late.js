// @ts-check
// With `late`, a picture that comes late, and never from a cache: the page's `load` waits for it, its other scripts do not.
if (new URLSearchParams(location.search).has("late")) {
  document.head.append(Object.assign(new Image(), { src: `/late.png?${Math.random()}` }));
}
