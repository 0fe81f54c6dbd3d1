// @ts-check
/**
 * The camera of this page. Views and Python have none: the page takes a picture when a tool wants one, and lends that. In
 * the frame of a client it has a camera only if the client has allowed it before the page was loaded.
 *
 * @typedef {{facing?: string, width?: number}} Wish
 */

/** Milliseconds until a camera that is allowed shows something. */
const SHOWN_WITHIN = 15_000;
const QUALITY = 0.9;

/** @type {Record<string, string>} */
const REASONS = {
  NotAllowedError: "The camera was not allowed",
  NotFoundError: "There is no camera on this device",
  NotReadableError: "The camera is in use by another program",
  OverconstrainedError: "No camera of this device takes such a picture",
};
const NOT_LENT = "The page around this server has not been given the camera: set the server up again, and allow it";

/** @param {Wish} wish @returns {Promise<Uint8Array>} a JPEG */
export async function takePicture({ facing = "user", width = 1280 }) {
  const { mediaDevices } = navigator;
  if (!mediaDevices) throw new Error("Browsers give a camera to pages with HTTPS only");
  /** @type {any} Where the browser says what the page may use. */
  const policy = /** @type {any} */ (document).featurePolicy;
  if (policy && !policy.allowsFeature("camera")) throw new Error(NOT_LENT);
  const video = { facingMode: facing, width: { ideal: width } };
  const stream = await mediaDevices.getUserMedia({ video }).catch((error) => {
    throw new Error(REASONS[error?.name] ?? `There is no picture (${error?.name})`);
  });
  try {
    return await pictureOf(stream);
  } finally {
    for (const track of stream.getTracks()) track.stop();
  }
}

/** The same as a file that a person has picked. */
export async function takePictureFile() {
  const content = /** @type {Uint8Array<ArrayBuffer>} */ (await takePicture({}));
  return new File([content], "picture.jpg", { type: "image/jpeg" });
}

/** @param {MediaStream} stream */
async function pictureOf(stream) {
  const video = document.createElement("video");
  Object.assign(video, { muted: true, playsInline: true, srcObject: stream });
  /** @type {any} */
  let timer;
  await new Promise((resolve, reject) => {
    video.onloadeddata = resolve;
    timer = setTimeout(() => reject(new Error("The camera shows nothing")), SHOWN_WITHIN);
    video.play().catch(reject);
  }).finally(() => clearTimeout(timer));
  const canvas = Object.assign(document.createElement("canvas"), {
    width: video.videoWidth,
    height: video.videoHeight,
  });
  canvas.getContext("2d")?.drawImage(video, 0, 0);
  video.srcObject = null;
  const blob = await new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", QUALITY));
  if (!blob) throw new Error("The camera shows nothing");
  return new Uint8Array(await blob.arrayBuffer());
}
