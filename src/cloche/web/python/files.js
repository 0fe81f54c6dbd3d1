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
  readCarefully(fileSystem, WORKERFS.stream_ops);
  fileSystem.mount(WORKERFS, { blobs: [{ name: path.slice(end + 1), data: file }] }, folder);
}

/** What Python calls an error of the device. */
const EIO = 29;

/**
 * A file that was deleted or changed after it was picked cannot be read any more. That is an `OSError` for who reads it, and
 * not the end of Python.
 *
 * @param {any} fileSystem
 * @param {any} operations on an open file
 */
function readCarefully(fileSystem, operations) {
  const { read } = operations;
  if (read.isCareful) return;
  operations.read = (/** @type {any[]} */ ...given) => {
    try {
      return read(...given);
    } catch (/** @type {any} */ error) {
      if (error instanceof fileSystem.ErrnoError) throw error;
      console.error(`A picked file cannot be read: ${error?.message}`);
      throw new fileSystem.ErrnoError(EIO);
    }
  };
  operations.read.isCareful = true;
}

/** @param {any} fileSystem @param {string} path @returns {{content?: Blob, problem?: string}} */
export function read(fileSystem, path) {
  try {
    return { content: new Blob([fileSystem.readFile(path)]) };
  } catch {
    return { problem: `${path} is not there any more: call the tool again` };
  }
}
