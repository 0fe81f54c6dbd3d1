import{e as a,f as b}from"./shared-PAR4JT7Q.js";import"./shared-SYYXIFTH.js";export{b as McpBrowserClient,a as McpClient};
