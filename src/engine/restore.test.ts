import { expect, test } from "vitest";
import { z } from "zod";
import { done, stage, world } from "../../test/support/stage.ts";
import { definePipeline } from "../core/authoring/pipeline.ts";
import { SignalboxError } from "../core/failure/errors.ts";
import type { Host } from "../core/ports/host.ts";

const spec = {
  about: "it",
  version: 1,
  input: z.unknown(),
  dialect: "json",
  phases: [{ title: "A" }],
  cap: 1,
} as const;
const asking = definePipeline({ ...spec, name: "asking" }, async ({ phase, write, ask }) => {
  phase("A");
  await write("plan.md", "one");
  await ask({ title: "Go on?", show: 1, choices: ["yes"], auto: "never" });
  return { status: "done" };
});

async function restoredBy(change: (host: Host) => Host): Promise<readonly string[]> {
  const restored: string[] = [];
  const play = async (effect: never, signal: AbortSignal) => world(() => done({}))(effect, signal) as never;
  const performer = {
    perform: play,
    recover: play,
    restore: async (_run: string, lost: readonly { path: string }[]) => {
      restored.push(...lost.map(({ path }) => path));
    },
  };
  const first = await stage({ pipeline: asking, parts: { performer } });
  await first.drive();
  const host = change(first.host);
  await first.again({ parts: { performer, host } });
  await first.drive().catch(() => undefined);
  return restored;
}

test("an engine that resumes a run restores the files that it wrote", async () => {
  expect(await restoredBy((host) => host)).toEqual(["plan.md"]);
});

test("an engine that has lost the run restores nothing: it knows an old state", async () => {
  const append = () => Promise.reject(new SignalboxError("FENCED", "Another has it.", "Nothing to do."));
  expect(await restoredBy((host) => ({ ...host, journal: { ...host.journal, append } }))).toEqual([]);
});

test("an engine that has lost the run and does not know it yet restores nothing either", async () => {
  expect(await restoredBy((host) => ({ ...host, runs: { ...host.runs, renew: async () => false } }))).toEqual([]);
});
