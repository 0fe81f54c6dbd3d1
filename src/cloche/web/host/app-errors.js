// @ts-check
/** Why an app by URL is not there: each has a `code` for programs and a sentence for people. */
export class AppLoadError extends Error {
  code = "APP_LOAD_FAILED";
}

/** The app was there, and is gone: it went elsewhere, sent too much, or was unloaded. */
export class AppConnectionError extends AppLoadError {
  /** @override */
  code = "APP_DISCONNECTED";
}

/** The app did not say hello in time. */
export class AppTimeoutError extends AppLoadError {
  /** @override */
  code = "APP_TIMEOUT";
}

/** The app is not of an origin that apps may come from. */
export class OriginNotAllowedError extends AppLoadError {
  /** @override */
  code = "ORIGIN_NOT_ALLOWED";
}
