import{e as a,f as b}from"./shared-A32XVBTT.js";import"./shared-BH7HBD6S.js";export{b as McpBrowserClient,a as McpClient};
