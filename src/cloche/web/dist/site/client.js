import{e as a,f as b}from"./shared-CP3QFW7S.js";import"./shared-XZ5FP6S5.js";export{b as McpBrowserClient,a as McpClient};
