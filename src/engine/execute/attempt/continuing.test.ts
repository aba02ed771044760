import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { executorStage, PROMPT, RUN } from "../../../../test/support/performing.ts";
import { pipeWith } from "../../../../test/support/pipe.ts";
import { createRealWorld } from "../../../cli/real-world.ts";
import { defineRole } from "../../../core/authoring/role.ts";
import { writeContract } from "../../../core/contract/write.ts";
import type { AttemptRequest, AttemptResult } from "../../../core/journal/effect.ts";
import type { Driver } from "../../../core/ports/driver.ts";
import { createCodexDriver } from "../../../drivers/codex/codex-driver.ts";
import { createRecordingDriver } from "../../../drivers/scripted/recording-driver.ts";

const writer = defineRole({ name: "writer", does: "writes", contract: z.object({ did: z.string() }), writes: true });
const pipeline = pipeWith([writer]);

/** Of every conversation of the fake. */
const SESSION = "01a1e136-474f-77d2-84fb-5737328188b2";
const BIN = join(import.meta.dirname, "../../../../test/agents/fake-codex.mjs");
const calm = new AbortController().signal;

const { at, performer, settled, attempt: attemptBy } = executorStage(pipeline);

const codex = (act: unknown, name = "codex"): Driver =>
  createCodexDriver({ name, bin: BIN, environment: { set: { FAKE_CODEX: JSON.stringify(act) } } });
/** Works for a while and is never done. */
const busy = () => codex({ kind: "hangs", writes: { path: "half.txt", content: "half\n" } });
const answering = (nonce: string, name?: string) => {
  const text = writeContract({ dialect: "json", value: { did: "it" }, nonce });
  return codex({ kind: "answers", text, writes: { path: "whole.txt", content: "whole\n" } }, name);
};

const attempt = (number: number, more: Partial<AttemptRequest> = {}) =>
  attemptBy("writer", { attempt: number, nonce: `n0nce-${number}`, ...more });
const idOf = (number: number) => `${RUN}/1 Work/writer@${number}`;
const goingOn = (number: number) => attempt(number, { continues: { effect: idOf(number - 1), session: SESSION } });

const folders = () => readdirSync(at("cache", "attempts")).filter((name) => name !== ".git");
const homes = () => readdirSync(at("cache", "homes"));
const halfDone = () => folders().some((name) => existsSync(at("cache", "attempts", name, "half.txt")));

/** The first attempt, stopped in order as soon as some of its work is there. */
async function stopped(driver = busy()): Promise<AttemptResult> {
  const stop = new AbortController();
  const going = (await performer(driver)).perform(attempt(1), stop.signal);
  while (!halfDone()) await createRealWorld({}).sleep(5);
  stop.abort();
  return going;
}

test("an attempt that is stopped in a conversation leaves its folder and home to the next, which finishes the work", async () => {
  expect(await stopped()).toEqual({ outcome: "interrupted", session: SESSION });
  expect([folders().length, homes().length]).toEqual([1, 1]);
  const result = await (await performer(answering("n0nce-2"))).perform(goingOn(2), calm);
  expect(result).toMatchObject({ outcome: "done", changed: ["half.txt", "whole.txt"], outside: [] });
  await settled();
  expect([folders(), homes()]).toEqual([[], []]);
});

test("[A-17] an attempt whose engine died in a conversation is ended, and left to the next", async () => {
  // An engine that died never hears that its agent has ended.
  const dead = await performer(busy(), (processes) => ({
    ...processes,
    start: async (order) => ({ ...(await processes.start(order)), exited: new Promise(() => {}) }),
  }));
  dead.perform(attempt(1), calm).catch(() => undefined);
  while (!halfDone()) await createRealWorld({}).sleep(5);
  expect(await (await performer(busy())).recover(attempt(1), calm)).toEqual({
    outcome: "interrupted",
    session: SESSION,
  });
  const result = await (await performer(answering("n0nce-2"))).perform(goingOn(2), calm);
  expect(result).toMatchObject({ outcome: "done", changed: ["half.txt", "whole.txt"] });
});

test("a continue prompt names the interruption and the answer form, but not the whole task", async () => {
  await stopped();
  const asked: string[] = [];
  const driver = answering("n0nce-2");
  const dispatch: Driver["dispatch"] = (order, ...rest) => {
    asked.push(order.prompt);
    return driver.dispatch(order, ...rest);
  };
  await (await performer({ ...driver, dispatch })).perform(goingOn(2), calm);
  expect(asked).toHaveLength(1);
  expect(asked[0]).toContain("You were interrupted");
  expect(asked[0]).toContain("n0nce-2");
  expect(asked[0]).not.toContain("n0nce-1");
  expect(asked[0]).not.toContain(PROMPT);
});

test("an attempt can be interrupted, continued and interrupted again", async () => {
  await stopped();
  const stop = new AbortController();
  const going = (await performer(busy())).perform(goingOn(2), stop.signal);
  stop.abort();
  expect(await going).toEqual({ outcome: "interrupted", session: SESSION });
  const result = await (await performer(answering("n0nce-3"))).perform(goingOn(3), calm);
  expect(result).toMatchObject({ outcome: "done", changed: ["half.txt", "whole.txt"] });
  await settled();
  expect([folders(), homes()]).toEqual([[], []]);
});

test("a folder taken over by an engine that died is still there for the next one", async () => {
  await stopped();
  const { recover } = await performer(busy());
  expect(await recover(goingOn(2), calm)).toEqual({ outcome: "interrupted", session: SESSION });
  const result = await (await performer(answering("n0nce-3"))).perform(goingOn(3), calm);
  expect(result).toMatchObject({ outcome: "done", changed: ["half.txt", "whole.txt"] });
});

test("the files of both attempts are judged against the tree that the first was given", async () => {
  await stopped();
  const { request, ...effect } = goingOn(2);
  const { perform } = await performer(answering("n0nce-2"));
  const result = await perform({ ...effect, request: { ...request, writes: ["whole.txt"] } }, calm);
  expect(result).toMatchObject({ outcome: "done", changed: ["whole.txt"], outside: ["half.txt"] });
});

test.each([
  ["the folder is gone", () => rmSync(at("cache", "attempts", folders()[0] ?? ""), { recursive: true })],
  ["the home is gone", () => rmSync(at("cache", "homes"), { recursive: true })],
  [
    "the conversation is damaged",
    () => {
      const sessions = at("cache", "homes", homes()[0] ?? "", "codex", "sessions");
      for (const name of readdirSync(sessions, { recursive: true, encoding: "utf8" }))
        if (name.endsWith(".jsonl")) writeFileSync(join(sessions, name), "{");
    },
  ],
])("where %s, the next attempt begins from nothing", async (_what, harm) => {
  await stopped();
  harm();
  const result = await (await performer(answering("n0nce-2"))).perform(goingOn(2), calm);
  expect(result).toMatchObject({ outcome: "done", contract: { did: "it" }, changed: ["whole.txt"] });
  await settled();
  expect([folders(), homes()]).toEqual([[], []]);
});

test("another driver starts in a new folder, and the old one is removed", async () => {
  await stopped();
  const result = await (await performer(answering("n0nce-2", "another"))).perform(goingOn(2), calm);
  expect(result).toMatchObject({ outcome: "done", changed: ["whole.txt"] });
  await settled();
  expect([folders(), homes()]).toEqual([[], []]);
});

test("an attempt that is being recorded is not continued", async () => {
  const recording = { dir: at("cassettes"), redact: (text: string) => text };
  expect(await stopped(createRecordingDriver(busy(), recording))).toEqual({ outcome: "interrupted" });
  await settled();
  expect([folders(), homes()]).toEqual([[], []]);
});

test("cleanup after a run removes its folders, and none of other runs", async () => {
  await stopped();
  mkdirSync(at("cache", "homes", `${RUN}-x-0123456789abcdef`));
  await (await performer(busy())).tidy(RUN);
  expect([folders(), homes()]).toEqual([[], [`${RUN}-x-0123456789abcdef`]]);
});
