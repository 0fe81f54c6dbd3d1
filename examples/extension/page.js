// The page: an MCP client of the extension.
import { McpClient } from "./cloche/client.js";
import { connectToExtension } from "./cloche/transports/extension.js";

// It follows from "key" in manifest.json, wherever the folder lies.
const EXTENSION = "dcpnmglfibipoankhpimnmeikojeifco";

const answer = document.getElementById("answer");

async function ask() {
  const client = new McpClient(connectToExtension(EXTENSION), { name: "page", version: "1.0.0" });
  try {
    await client.connect();
    const result = await client.callTool("open_tabs", {});
    answer.textContent = result.content.map((block) => block.text).join("\n");
  } finally {
    client.close();
  }
}

document.getElementById("ask").addEventListener("click", () => {
  ask().catch((error) => (answer.textContent = error.message));
});
