// @ts-check
// The view runtime for every kind of host.
import { connect } from "../view.js";

connect({ trustedOrigins: /** @type {any} */ (globalThis).TRUSTED_ORIGINS });
