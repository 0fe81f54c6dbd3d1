import{e as a,f as b}from"./shared-3EZAHPDE.js";import"./shared-IJQM7ZDS.js";export{b as McpBrowserClient,a as McpClient};
