// @ts-check
import { offerInside } from "./session_ways.js";

await offerInside();
