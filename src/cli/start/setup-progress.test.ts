import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { setUpProgress } from "./set-up-progress.ts";

test("what a set-up printed last is told while it runs, without its secrets, and no longer once it is closed", async () => {
  const spools = mkdtempSync(join(tmpdir(), "signalbox-progress-"));
  mkdirSync(join(spools, "effect", "command"), { recursive: true });
  writeFileSync(join(spools, "effect", "command", "stdout"), "adding packages with key-1\n-----\n");
  const lines: string[] = [];
  const told = Promise.withResolvers<void>();
  const progress = setUpProgress({
    spools,
    redact: (text) => text.replaceAll("key-1", "***"),
    after: [1, 1],
    say: (line) => {
      lines.push(line);
      if (lines.length === 2) progress.close();
      if (lines.length >= 2) told.resolve();
    },
  });
  await told.promise;
  expect(lines).toHaveLength(2);
  expect(lines[0]).toMatch(/^… at work for .*: adding packages with \*\*\*$/);
  rmSync(spools, { recursive: true, force: true });
});
