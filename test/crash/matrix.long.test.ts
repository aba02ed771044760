import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { often } from "../often.ts";
import { brokenSources, type Mutant } from "./broken.ts";

const run = promisify(execFile);
const SCRIPT = fileURLToPath(new URL("matrix.ts", import.meta.url));

type Result = { points: number; appends: number; zombies: number; failures: number; first: string[] };

async function matrix(...args: string[]): Promise<Result> {
  const { stdout } = await run(process.execPath, [SCRIPT, ...args]).catch(
    (error: { stdout: string; stderr: string }) => {
      if (!error.stdout) throw new Error(error.stderr);
      return error;
    },
  );
  return JSON.parse(stdout.trim().split("\n").at(-1) ?? "{}") as Result;
}

describe("[L-28] crash matrix, in process", () => {
  const mosts = { memory: often(200, 1e9), sqlite: often(60, 1e9) };
  for (const [host, most] of Object.entries(mosts)) {
    test(`a run killed after any append on ${host} ends like an uninterrupted run`, {
      timeout: 1_200_000,
    }, async () => {
      const result = await matrix("--host", host, "--most", String(most));
      const { points, appends, zombies, failures } = result;
      console.log(
        `crash matrix on ${host}: ${points} kills of ${appends} appends, ${zombies} wakings, ${failures} failures`,
      );
      expect(result.first).toEqual([]);
      expect(result.points).toBeGreaterThan(15);
    });
  }

  const breaks: (Mutant & { readonly only?: string })[] = [
    {
      what: "the fence check",
      file: "hosts/errors.ts",
      from: "  if (held.fence === lease.fence && held.owner === lease.owner) return;",
      to: "  if (held) return;",
    },
    {
      what: "the intent before an attempt",
      file: "engine/verbs/dispatch.ts",
      from: "    await run.recorder.durable();\n    const result = await run.effect",
      to: "    const result = await run.effect",
      // Only some of the paused and resumed engines are tested: here one of them has just started an attempt.
      only: "ledger: a blocker",
    },
    {
      what: "guard G2",
      file: "engine/replay/step.ts",
      from: "  if (past.started.key !== key) run.refuse(guards.createDivergedError(run.id, key, past.started.key));\n",
      to: "",
    },
  ];
  for (const { only = "every verb", ...change } of breaks) {
    test(`the matrix fails when ${change.what} is removed`, { timeout: 300_000 }, async () => {
      const broken = brokenSources(change);
      try {
        const result = await matrix("--host", "memory", "--only", only, "--src", broken.src);
        expect(result.failures).toBeGreaterThan(0);
      } finally {
        broken.remove();
      }
    });
  }
});
