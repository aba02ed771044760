import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeAll, expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "..");
const BUILT = join(ROOT, "dist/web");

const sources = readdirSync(join(ROOT, "web"), { recursive: true, encoding: "utf8" }).filter((file) =>
  /\.(tsx?|html)$/.test(file),
);
const readText = (file: string): string => readFileSync(join(ROOT, "web", file), "utf8");

beforeAll(() => void execFileSync(process.execPath, [join(ROOT, "scripts/web.mjs"), "--if-changed"]));

test("agent text cannot become markup: the dashboard has no way to set markup", () => {
  const sets = /dangerouslySetInnerHTML|innerHTML|outerHTML|insertAdjacentHTML|document\.write|srcdoc|\beval\(/;
  expect(sources.filter((file) => sets.test(readText(file)))).toEqual([]);
});

test("the dashboard imports types and small pure modules from src, and no package but React", () => {
  const imports = sources.flatMap((file) => [...readText(file).matchAll(/^import (?!type).*from "([^."][^"]*)"/gm)]);
  expect([...new Set(imports.map((found) => found[1]))].toSorted()).toEqual(["react", "react-dom/client"]);
});

test("no page of the dashboard has an inline script or style", () => {
  const page = readFileSync(join(BUILT, "index.html"), "utf8");
  expect(page).not.toMatch(/<style|<script(?![^>]*src=)|\sstyle=|\son\w+=|https?:/);
});

test("the first load is at most 150 kB of compressed JavaScript", () => {
  const scripts = readdirSync(join(BUILT, "assets")).filter((file) => file.endsWith(".js"));
  const bytes = scripts.map((file) => gzipSync(readFileSync(join(BUILT, "assets", file))).length);
  expect(scripts.length).toBeGreaterThan(0);
  expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThan(150_000);
});

test("a report is one file that loads nothing", () => {
  const page = readFileSync(join(BUILT, "report.html"), "utf8");
  expect(page).toContain('<script type="application/json" id="run">null</script>');
  expect(page).not.toMatch(/<(script|link|img)[^>]*\s(src|href)=/);
});
