// @ts-check
// A picture that comes late, and never from a cache: the page's `load` waits for it, its other scripts do not.
document.head.append(Object.assign(new Image(), { src: `/late.png?${Math.random()}` }));
