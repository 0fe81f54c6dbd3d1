// Every regular expression in the scripts named by FILES, found by Deno's own parser, which only tests may use:
// deno test --no-check --allow-read --allow-env find.js. Prints them as one line of JSON.

/** @type {unknown[]} */
const found = [];
let file = "";
const plugin = {
  name: "patterns",
  rules: {
    all: {
      create: () => ({
        Literal(/** @type {any} */ node) {
          if (node.regex) found.push({ file, ...node.regex });
        },
        NewExpression(/** @type {any} */ node) {
          if (node.callee.name === "RegExp") found.push({ file, made: true });
        },
        CallExpression(/** @type {any} */ node) {
          if (node.callee.name === "RegExp") found.push({ file, made: true });
        },
      }),
    },
  },
};

Deno.test("find", () => {
  for (file of JSON.parse(Deno.env.get("FILES") ?? "[]")) {
    /** @type {any} */ (Deno).lint.runPlugin(plugin, file.replace(/\.html$/, ".js"), scripts(file));
  }
  console.log("FOUND " + JSON.stringify(found));
});

/** @param {string} file */
function scripts(file) {
  const text = Deno.readTextFileSync(file);
  if (!file.endsWith(".html")) return text;
  return text.split("<script").slice(1).map((part) => part.slice(part.indexOf(">") + 1).split("</script>")[0]).join(
    "\n",
  );
}
