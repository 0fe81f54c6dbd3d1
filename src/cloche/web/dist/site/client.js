import{e as a,f as b}from"./shared-UMNDNIMT.js";import"./shared-JJ7YEVRG.js";export{b as McpBrowserClient,a as McpClient};
