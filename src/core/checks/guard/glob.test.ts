import fc from "fast-check";
import { expect, test } from "vitest";
import { cpuMs } from "../../../../test/support/cpu-clock.ts";
import { matchesAny, matchesGlob } from "./glob.ts";

test.each([
  ["src/**", "src/a/.b/c.ts", true],
  ["src/**", "src", false],
  ["src/**", "srcs/a.ts", false],
  ["**", ".github/workflows/ci.yml", true],
  ["*", ".env", true],
  ["*.ts", "a.test.ts", true],
  ["*.ts", "src/a.ts", false],
  ["**/*.md", "a.md", true],
  ["**/*.md", ".x/y/.z.md", true],
  ["a/**/b", "a/b", true],
  ["a/**/b", "a/x/y/b", true],
  ["a/**/b", "a/xb", false],
  ["a**b", "axxb", true],
  ["a**b", "ax/xb", false],
  ["**b", "x/b", false],
  ["src/{a,b}/*.ts", "src/b/x.ts", true],
  ["src/{a,b}/*.ts", "src/c/x.ts", false],
  ["{src,test/{unit,e2e}}/**", "test/e2e/deep/x.ts", true],
  ["{src,test/{unit,e2e}}/**", "test/other/x.ts", false],
  ["{docs/**,*.md}", "docs/a/b", true],
  ["{**/x,y}", "a/b/x", true],
  ["file{,.test}.ts", "file.ts", true],
  ["file{,.test}.ts", "file.test.ts", true],
  ["docs/", "docs/deep/x.md", true],
  ["docs", "docs/x.md", false],
  ["./src/a.ts", "src/a.ts", true],
  ["app/[id]/page.ts", "app/[id]/page.ts", true],
  ["app/[id]/*.ts", "app/[id]/page.ts", true],
  ["app/[id]/*.ts", "app/i/page.ts", true],
  ["v[0-9].ts", "v7.ts", true],
  ["v[!0-9].ts", "v7.ts", false],
  ["v[^0-9].ts", "vx.ts", true],
  ["v[a-].ts", "v-.ts", true],
  ["v[0/9].ts", "v0.ts", false],
  ["v[0", "v[0", true],
  ["v[0*", "v[0.ts", true],
  ["{a", "{a", true],
  ["{a}*", "{a}b", true],
  ["a}*", "a}b", true],
  ["src/*", "src/new\nline", true],
  ["a?c", "a.c", true],
  ["a?c", "a/c", false],
  ["ä*", "äöü", true],
  ["?.ts", "😀.ts", true],
  ["😀*", "😀.ts", true],
  ["nothing", "else", false],
])("the glob %j and the path %j: %s", (glob, path, expected) => {
  expect(matchesGlob(path, glob)).toBe(expected);
});

test("one matching glob is enough, and an empty list matches nothing", () => {
  expect(matchesAny("b.ts", ["a.ts", "b.*"])).toBe(true);
  expect(matchesAny("b.ts", [])).toBe(false);
});

test("a pattern beyond every reasonable length matches only itself", () => {
  const long = "*".repeat(5000);
  expect(matchesGlob(long, `./${long}`)).toBe(true);
  expect(matchesGlob("a", long)).toBe(false);
});

test.each([
  ["stars", "*a".repeat(500), "a".repeat(2000)],
  ["deep stars", "**/".repeat(500), "a/".repeat(1000)],
  ["nested choices", `${"{a,".repeat(400)}b${"}".repeat(400)}*z`, "a".repeat(2000)],
  ["many choices", "{a,aa}".repeat(300), "a".repeat(500)],
  ["open braces", "{".repeat(4000), "a"],
])("a hostile pattern of %s is answered at once", (_name, pattern, path) => {
  const start = cpuMs();
  matchesGlob(`${path}!`, pattern);
  expect(cpuMs() - start).toBeLessThan(5000);
});

test("a pattern without wildcards means exactly its own path", () => {
  const plain = fc.stringMatching(/^[a-z.]{1,8}(\/[a-z.]{1,8}){0,3}$/);
  fc.assert(
    fc.property(plain, plain, (path, glob) => matchesGlob(path, glob) === (path === glob.replace(/^\.\//, ""))),
  );
});
