import{e as a,f as b}from"./shared-TWNDH3UQ.js";import"./shared-Z7JAFU3A.js";export{b as McpBrowserClient,a as McpClient};
