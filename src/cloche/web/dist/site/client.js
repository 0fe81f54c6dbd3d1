import{e as a,f as b}from"./shared-T7D3KD2Y.js";import"./shared-BJIN7MKX.js";export{b as McpBrowserClient,a as McpClient};
