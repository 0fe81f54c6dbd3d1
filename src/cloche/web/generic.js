// @ts-check
import { Adapter } from "./adapter.js";

/** A page that nobody embeds: it is ready, and what needs a host is refused. */
export class GenericAdapter extends Adapter {
  /** @override */
  name = "generic";
}
