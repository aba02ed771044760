import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { formatProgress, watchProgress } from "./check-progress.ts";

test("the running command and its last output are reported without secrets until the watch is closed", async () => {
  const spools = mkdtempSync(join(tmpdir(), "signalbox-progress-"));
  mkdirSync(join(spools, "effect", "1.1", "command"), { recursive: true });
  writeFileSync(join(spools, "effect", "1.1", "command", "stdout"), "adding packages with key-1\n-----\n");
  const lines: string[] = [];
  const told = Promise.withResolvers<void>();
  const progress = watchProgress({
    spools,
    redact: (text) => text.replaceAll("key-1", "***"),
    after: [1, 1],
    known: [{ name: "set-up", run: "npm ci", folder: "command" }],
    say: (seen) => {
      lines.push(formatProgress(seen));
      if (lines.length === 2) progress.close();
      if (lines.length >= 2) told.resolve();
    },
  });
  await told.promise;
  expect(lines).toHaveLength(2);
  expect(lines[0]).toMatch(/^… set-up \(npm ci\) running for .*: adding packages with \*\*\*$/);
  rmSync(spools, { recursive: true, force: true });
});

test("an unknown command is reported with its running time only", () => {
  expect(formatProgress({ since: 0, now: 90_000, words: "" })).toBe("… running for 1m 30s");
});

test("a minute without output is reported with its length", () => {
  const seen = { since: 0, now: 300_000, words: "Progress: resolved 378, downloaded 0" };
  expect(formatProgress({ ...seen, printedAt: 250_000 })).not.toContain("no output");
  expect(formatProgress({ ...seen, printedAt: 60_000 })).toBe(
    "… running for 5m 00s: Progress: resolved 378, downloaded 0 (no output for 4m 00s)",
  );
});
