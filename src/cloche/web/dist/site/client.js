import{e as a,f as b}from"./shared-EFF66S4V.js";import"./shared-CYB63DT6.js";export{b as McpBrowserClient,a as McpClient};
