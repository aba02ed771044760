import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { testWorld } from "../test-world.suite.ts";
import { watchLimits } from "./limits.ts";

type Slice = { readonly says?: string; readonly busyMs?: number; readonly trace?: string };

const SILENCE_MS = 4_000;

/** Returns after how many intervals a process with these observations, followed by none, is stopped. */
async function slicesUntilStop(...slices: readonly Slice[]): Promise<{ slices: number; spool: string }> {
  const spool = mkdtempSync(join(tmpdir(), "signalbox-limits-"));
  onTestFinished(() => rmSync(spool, { recursive: true, force: true }));
  let [slept, said, busy, trace] = [0, "", 0, "as it was"];
  const sleep = async () => {
    const now = slices[slept] ?? {};
    slept += 1;
    said += now.says ?? "";
    writeFileSync(join(spool, "stdout"), said);
    busy += now.busyMs ?? 0;
    trace = now.trace ?? trace;
  };
  await new Promise<void>((stopped) => {
    watchLimits({
      spool,
      limits: { silenceMs: SILENCE_MS },
      growth: { next: () => new Promise(() => {}), closed: false, close: () => undefined },
      world: { ...testWorld, sleep },
      ended: new AbortController().signal,
      stop: () => stopped(),
      busyMs: () => busy,
      trace: async () => trace,
    });
  });
  return { slices: slept, spool };
}

test("a process without activity is stopped after four quiet intervals", async () => {
  expect((await slicesUntilStop()).slices).toBe(4);
});

test.each([
  ["output", { says: "x" }],
  ["CPU time", { busyMs: 300 }],
  ["a change in its folder", { trace: "another" }],
])("%s restarts the count", async (_what, sign) => {
  expect((await slicesUntilStop({}, {}, {}, sign)).slices).toBe(8);
});

test("hardly any CPU time is no activity", async () => {
  expect((await slicesUntilStop({}, {}, {}, { busyMs: 100 })).slices).toBe(4);
});

test("the initial state of the folder is unknown, so the first observation is no activity", async () => {
  expect((await slicesUntilStop({ trace: "checked out" })).slices).toBe(4);
});

test("activity without output is recorded for external readers; output needs no record", async () => {
  const worked = async (sign: Slice) => {
    const { spool } = await slicesUntilStop({}, sign);
    return statSync(join(spool, "worked"), { throwIfNoEntry: false }) !== undefined;
  };
  expect([await worked({ busyMs: 300 }), await worked({ trace: "b" }), await worked({ says: "x" })]).toEqual([
    true,
    true,
    false,
  ]);
});
