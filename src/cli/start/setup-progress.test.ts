import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { progressText, setUpProgress } from "./setup-progress.ts";

test("which command is at work and what it printed last is told while it runs, without its secrets, and no longer once it is closed", async () => {
  const spools = mkdtempSync(join(tmpdir(), "signalbox-progress-"));
  mkdirSync(join(spools, "effect", "1.1", "command"), { recursive: true });
  writeFileSync(join(spools, "effect", "1.1", "command", "stdout"), "adding packages with key-1\n-----\n");
  const lines: string[] = [];
  const told = Promise.withResolvers<void>();
  const progress = setUpProgress({
    spools,
    redact: (text) => text.replaceAll("key-1", "***"),
    after: [1, 1],
    known: [{ name: "set-up", run: "npm ci", folder: "command" }],
    say: (seen) => {
      lines.push(progressText(seen));
      if (lines.length === 2) progress.close();
      if (lines.length >= 2) told.resolve();
    },
  });
  await told.promise;
  expect(lines).toHaveLength(2);
  expect(lines[0]).toMatch(/^… set-up \(npm ci\) at work for .*: adding packages with \*\*\*$/);
  rmSync(spools, { recursive: true, force: true });
});

test("a command of which nothing is known yet is told by its time alone", () => {
  expect(progressText({ since: 0, now: 90_000, words: "" })).toBe("… at work for 1m 30s");
});

test("what has printed nothing new for a minute is told with how long that is", () => {
  const seen = { since: 0, now: 300_000, words: "Progress: resolved 378, downloaded 0" };
  expect(progressText({ ...seen, printedAt: 250_000 })).not.toContain("nothing new");
  expect(progressText({ ...seen, printedAt: 60_000 })).toBe(
    "… at work for 5m 00s: Progress: resolved 378, downloaded 0 (nothing new for 4m 00s)",
  );
});
