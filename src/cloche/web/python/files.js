// @ts-check
/** Files that go in and out of Python beside its messages. */

/**
 * Put a file of the page at a path of Python's file system. The browser reads it where it lies when Python does, in pieces:
 * only a worker can wait for that.
 *
 * @param {any} fileSystem
 * @param {{path: string, file: File}} picked
 */
export function mount(fileSystem, { path, file }) {
  const end = path.lastIndexOf("/");
  const folder = path.slice(0, end);
  fileSystem.mkdirTree(folder);
  const { WORKERFS } = fileSystem.filesystems;
  fileSystem.mount(WORKERFS, { blobs: [{ name: path.slice(end + 1), data: file }] }, folder);
}

/** @param {any} fileSystem @param {string} path @returns {{content?: Blob, problem?: string}} */
export function read(fileSystem, path) {
  try {
    return { content: new Blob([fileSystem.readFile(path)]) };
  } catch {
    return { problem: `${path} is not there any more: call the tool again` };
  }
}
