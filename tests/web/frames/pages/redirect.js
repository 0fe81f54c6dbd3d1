// @ts-check
// A server that has moved to another origin.
location.replace(new URLSearchParams(location.search).get("to") + location.hash);
