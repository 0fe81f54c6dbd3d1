// @ts-check
/**
 * What this page was made with: the server as it was when it was built, so that there is something to see before Python
 * has started.
 *
 * @typedef {{
 *   name: string, title?: string, description?: string, inputSchema: Record<string, any>,
 *   annotations?: Record<string, any>, _meta?: Record<string, any>,
 * }} Tool
 * @typedef {{
 *   schema: Record<string, any>, secrets: string[], visible: boolean, visibility: "required" | "optional" | "hidden",
 *   description?: string, permissions?: import("../frames/permissions.js").PermissionRequirement[],
 * }} Setup
 * @typedef {{
 *   name: string, title?: string, version: string, tools: Tool[], setup?: Setup, allowedOrigins: string[],
 *   views?: Record<string, string>,
 * }} About `views` are the policies of the views, by URI
 */
import { byId } from "../dev/elements.js";

/** @returns {About} */
export const aboutServer = () => JSON.parse(byId("server").textContent ?? "");

/** @param {About} about */
export const titleOf = ({ title, name }) => title ?? name;

/** The `_meta` of a result in which a tool asks for a setup. */
export const SETUP_REQUIRED = "cloche/setupRequired";
