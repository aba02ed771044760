import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { addExcludes, removeBroadExclude } from "./git-exclude.ts";

const folders: string[] = [];
afterEach(() => {
  for (const dir of folders.splice(0)) rmSync(dir, { recursive: true });
});

function clone(text: string, files: readonly string[] = []) {
  const top = mkdtempSync(join(tmpdir(), "signalbox-exclude-"));
  folders.push(top);
  const places = { top, exclude: join(top, ".git/info/exclude") };
  for (const path of [".git/info/exclude", ...files]) mkdirSync(dirname(join(top, path)), { recursive: true });
  for (const path of files) writeFileSync(join(top, path), "x\n");
  writeFileSync(places.exclude, text);
  return { places, read: () => readFileSync(places.exclude, "utf8") };
}

const OURS = "/.signalbox/*\n!/.signalbox/config.yaml\n";
const BROAD = "/prompts/\n/docs/docs_cache_state.yaml\n";

test("lines are appended once", async () => {
  const { places, read } = clone("dist");
  expect(await addExcludes(places, ["/a/", "/b/"])).toEqual(["/a/", "/b/"]);
  expect(await addExcludes(places, ["/a/"])).toEqual([]);
  expect(read()).toBe("dist\n/a/\n/b/\n");
});

test("the two lines of an earlier version are removed, and nothing else", async () => {
  const { places, read } = clone(`dist\n${OURS}${BROAD}/mine/\n`);
  expect(await removeBroadExclude(places)).toEqual(["/prompts/"]);
  expect(read()).toBe(`dist\n${OURS}/mine/\n`);
  expect(await removeBroadExclude(places)).toEqual([]);
});

test("existing tickets stay ignored, prompts of the user do not", async () => {
  const { places, read } = clone(OURS + BROAD, ["prompts/ABC-1/progress.yaml", "prompts/mine/a.md", "prompts/b.md"]);
  await removeBroadExclude(places);
  expect(read()).toBe(`${OURS}/prompts/ABC-1/\n/docs/docs_cache_state.yaml\n`);
});

test("a line that a person wrote stays", async () => {
  const text = `/prompts/\n${OURS}/docs/docs_cache_state.yaml\n`;
  const { places, read } = clone(text);
  expect(await removeBroadExclude(places)).toEqual([]);
  expect(read()).toBe(text);
});
