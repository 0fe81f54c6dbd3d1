import{e as a,f as b}from"./shared-5LQYK2QS.js";import"./shared-L4SM5SPW.js";export{b as McpBrowserClient,a as McpClient};
