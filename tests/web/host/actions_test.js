// @ts-check
import assert from "node:assert/strict";
import { safeLink, safeName } from "../../../src/cloche/web/host/actions.js";
import { written } from "../../../src/cloche/web/host/dialog.js";
import { withinLimits } from "../../../src/cloche/web/host/mount.js";
import { isDark } from "../../../src/cloche/web/host/theme.js";
import { TOKENS } from "../../../src/cloche/web/tokens.js";

Deno.test("only plain links to the web are links", () => {
  assert.equal(safeLink("https://example.com/a?b")?.href, "https://example.com/a?b");
  assert.equal(safeLink("http://localhost:1/")?.host, "localhost:1");
  const wrong = [
    "javascript:alert(1)",
    " javascript:alert(1)",
    "java\nscript:alert(1)",
    "data:text/html,x",
    "file:///etc/passwd",
    "blob:https://a/b",
    "vbscript:x",
    "//example.com",
    "\\\\example.com",
    "https://user@example.com",
    "https://:pw@example.com",
    "",
    null,
    {},
  ];
  for (const url of wrong) assert.equal(safeLink(url), null, String(url));
});

Deno.test("a file's name is one on every system", () => {
  const names = {
    "a.txt": "a.txt",
    "../../etc/passwd": "passwd",
    "C:\\Windows\\x.exe": "x.exe",
    ".bashrc": "bashrc",
    "evil\u202egnp.exe": "evilgnp.exe",
    "a\u0000b\n.txt": "ab.txt",
    "con.txt": "download-con.txt",
    "NUL": "download-NUL",
    "...": "download",
    "": "download",
    'a<b>:"|?*.md': "ab.md",
    "trailing. ": "trailing",
    ["report.pdf" + " ".repeat(90) + ".exe"]: "report.pdf .exe",
  };
  for (const [given, expected] of Object.entries(names)) assert.equal(safeName(given), expected, given);
  const long = safeName("x".repeat(500) + ".json");
  assert.equal(long.length, 120);
  assert.ok(long.endsWith(".json"));
});

Deno.test("sizes are whole, positive and within limits", () => {
  assert.deepEqual(withinLimits({ width: 10.2, height: 5000 }, 100), { width: 11, height: 100 });
  assert.deepEqual(withinLimits({ width: -1, height: NaN }, 100), {});
  assert.deepEqual(withinLimits({ width: "1", height: Infinity }, 100), { height: 100 });
});

Deno.test("a dark colour is told from a light one however it is written", () => {
  assert.ok(isDark("rgb(17, 17, 17)") && isDark("rgba(20, 20, 40, 0.9)") && isDark("color(srgb 0.1 0.1 0.1)"));
  assert.ok(isDark("oklab(0.1 0 5.96047e-9)") && isDark("oklch(0.2 0.02 250)") && isDark("lab(20 5 -30 / 0.9)"));
  assert.ok(
    isDark("color(display-p3 0.1 0.1 0.1 / 0.5)") && !isDark("lch(90 10 20)") && !isDark("oklch(0.9 0.02 250)"),
  );
  assert.ok(!isDark("rgb(255, 255, 255)") && !isDark("color(srgb 0.9 0.9 0.9)"));
});

Deno.test("details of a question are lines for people", () => {
  assert.equal(written({ url: "https://a.example/" }), "https://a.example/");
  assert.equal(written({ name: "delete", arguments: { id: 1 } }), 'name: delete\narguments: {"id":1}');
  assert.equal(written(undefined), "");
  assert.equal(written("text"), "text");
});

Deno.test("all 76 style variables have a value", () => {
  assert.equal(Object.keys(TOKENS).length, 76);
  assert.ok(Object.values(TOKENS).every((value) => value.length > 0 && value.length < 300));
});
