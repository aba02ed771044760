import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { ProcessLimits } from "../../../core/ports/processes.ts";
import type { ExecutorDeps } from "../executor.ts";
import { type CommandOrder, runToEnd } from "./command-end.ts";

/** The limits that a command is started with. */
async function limitsOf(isSetup: boolean): Promise<ProcessLimits | undefined> {
  const dir = mkdtempSync(join(tmpdir(), "signalbox-command-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  let limits: ProcessLimits | undefined;
  const exit = { code: 0, signal: null, stopped: null, ms: 1, stdoutTail: "", stderrTail: "" };
  const start = async (order: { readonly limits?: ProcessLimits }) => {
    limits = order.limits;
    return { exited: Promise.resolve(exit), stop: async () => undefined };
  };
  // It asks for nothing else of them.
  const parts = { processes: { start } } as unknown as ExecutorDeps;
  const command = { name: "set-up", run: "pnpm install", asked: false };
  const at = { command, isSetup, reports: join(dir, "reports"), env: {}, cwd: dir, spool: dir, cookie: "c" };
  await runToEnd(parts, { ...at, signal: new AbortController().signal } as unknown as CommandOrder);
  return limits;
}

test("a set-up that stands still is ended, and a check may be silent for as long as it may run", async () => {
  expect(await limitsOf(true)).toMatchObject({ silenceMs: 300_000 });
  expect(await limitsOf(false)).not.toHaveProperty("silenceMs");
});
