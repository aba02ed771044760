import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { BIN_OF_CLONE } from "../support/program.ts";
import { makeScene, type Scene } from "./scene.ts";

test("a run of a repository's own pipeline loads none of the built-in ones", async () => {
  const scene = makeScene();
  const read = await listLoadedModules(scene, "run", "small", "Write a file", "--agents", scene.agents);
  expect(read).toContain("engine/engine");
  expect(read.filter((file) => file.startsWith("pipelines/"))).toEqual(["pipelines/index"]);
});

test("a dry run of a built-in pipeline loads only that one", async () => {
  const read = await listLoadedModules(makeScene(), "run", "ticket", "Add a note", "--dry-run");
  const folders = new Set(read.flatMap((file) => /^pipelines\/(\w+)\//.exec(file)?.[1] ?? []));
  expect([...folders]).toEqual(["ticket"]);
});

/** Returns the program's modules that the runtime loaded. Uses the sources, because a build has few files. */
async function listLoadedModules(scene: Scene, ...args: readonly string[]): Promise<readonly string[]> {
  const dir = mkdtempSync(join(tmpdir(), "signalbox-read-"));
  try {
    await scene.from({ env: { NODE_V8_COVERAGE: dir }, program: BIN_OF_CLONE }, ...args);
    const reports = readdirSync(dir).map((name) => readFileSync(join(dir, name), "utf8"));
    const urls = reports.flatMap((text) => [...text.matchAll(/"url":"([^"]+)"/g)].map(([, url = ""]) => url));
    return [...new Set(urls.flatMap((url) => /\/(?:src|dist)\/([\w/-]+)\.[jt]s$/.exec(url)?.[1] ?? []))].toSorted();
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
