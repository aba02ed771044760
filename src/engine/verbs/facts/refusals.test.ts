import { expect, test } from "vitest";
import { z } from "zod";
import { pipe } from "../../../../test/support/pipe.ts";
import { done, type Stage, stage, world } from "../../../../test/support/stage.ts";
import { defineRole } from "../../../core/authoring/role.ts";
import { valueRule } from "../../../core/authoring/rule.ts";
import type { Verbs } from "../../../core/authoring/verbs.ts";
import type { AttemptRequest } from "../../../core/journal/effect.ts";

const contract = z.object({}).loose();
const writer = defineRole({ name: "writer", does: "writes", contract, writes: true });
const reader = defineRole({ name: "reader", does: "reads", contract });
const FINE = valueRule({ id: "FINE", because: "a gate that says yes", judge: () => ({ passed: true }) });
const NOTE = "Keep the symbol test as it was.";

async function asked(s: Stage) {
  return (await s.records()).filter((record) => record.type === "approval.requested");
}

async function answer(s: Stage, said: { readonly choice: string; readonly note?: string; readonly by?: string }) {
  const question = (await asked(s)).at(-1);
  if (!question) throw new Error("nothing was asked");
  const { approval, hash } = question;
  await s.post({ kind: "answer", approval, hash, by: "ada", ...said });
  return s.drive();
}

type Body = (verbs: Verbs<unknown>) => Promise<unknown>;

async function run(body: Body) {
  const requests: AttemptRequest[] = [];
  const pipeline = pipe(async (verbs) => {
    verbs.phase("1 Work");
    await body(verbs);
    return { status: "done" };
  });
  const perform = world((request) => {
    requests.push(request);
    return done({}, request.role === "writer" ? `after-${request.task}` : undefined);
  });
  const s = await stage({ pipeline, perform });
  await s.drive();
  return { s, requests };
}

const accepted = ({ ask }: Verbs<unknown>, tree: string, show: unknown = { what: tree }) =>
  ask({
    title: "Take it?",
    show,
    choices: ["yes", "again", "later"],
    auto: "never",
    accepts: "yes",
    revises: "again",
    tree: { tree },
  });

test("[A-35] a refusal of a person reaches every later agent with their name, until the commit", async () => {
  const { s, requests } = await run(async (verbs) => {
    const { agent, gate, commit } = verbs;
    const work = (task: string) => agent(writer, {}, { task });
    await work("first");
    await accepted(verbs, "after-first");
    await work("second");
    await agent(reader, {}, { in: { tree: "after-first" } });
    await work("third");
    const because = [await gate("g", [FINE], { tree: "after-third" })];
    await commit({ tree: "after-third" }, { message: "work", because });
    await work("fourth");
  });
  await answer(s, { choice: "again", note: NOTE });
  const refusals = [{ by: "ada", note: NOTE, asked: "Take it?", tree: "after-first" }];
  expect(requests.map((request) => request.refusals)).toEqual([undefined, refusals, refusals, refusals, undefined]);
});

test("[A-35] the next question shows the words, and says first where it is about the very tree that was refused", async () => {
  const { s } = await run(async (verbs) => {
    await accepted(verbs, "one");
    await accepted(verbs, "two", ["a list"]);
    await accepted(verbs, "one");
  });
  await answer(s, { choice: "again", note: NOTE });
  await answer(s, { choice: "again", note: "And less of it.", by: "eve" });
  expect(await answer(s, { choice: "yes" })).toMatchObject({ status: "done" });
  const ada = { by: "ada", said: NOTE };
  expect((await asked(s)).map(({ title, show }) => ({ title, show }))).toEqual([
    { title: "Take it?", show: { what: "one" } },
    { title: "Take it?", show: { refused: [ada], about: ["a list"] } },
    {
      title: `This is the work that ada refused: "${NOTE}". Take it?`,
      show: {
        refused: [
          { ...ada, work: "this very work" },
          { by: "eve", said: "And less of it." },
        ],
        what: "one",
      },
    },
  ]);
});

const planned = ({ ask }: Verbs<unknown>, title: string) =>
  ask({ title, show: ["a plan"], choices: ["yes", "again"], auto: "never", revises: "again" });

test("[A-35] what a person said of a plan reaches who plans, works and judges, and the next question", async () => {
  const { s, requests } = await run(async (verbs) => {
    await planned(verbs, "Approve the plan?");
    await verbs.agent(writer, {}, { task: "work" });
    await planned(verbs, "Approve it now?");
    await accepted(verbs, "after-work");
  });
  await answer(s, { choice: "again", note: NOTE });
  expect(requests).toMatchObject([{ refusals: [{ by: "ada", note: NOTE, asked: "Approve the plan?" }] }]);
  await answer(s, { choice: "yes" });
  const refused = [{ by: "ada", said: NOTE }];
  expect((await asked(s)).slice(1).map(({ title, show }) => ({ title, show }))).toEqual([
    { title: "Approve it now?", show: { refused, about: ["a plan"] } },
    { title: "Take it?", show: { refused, what: "after-work" } },
  ]);
});

test("a question without work, sent back without a note, reaches no agent", async () => {
  const { s, requests } = await run(async (verbs) => {
    await planned(verbs, "Approve the plan?");
    await verbs.agent(reader, {});
  });
  await answer(s, { choice: "again", note: " " });
  expect(requests.map((request) => request.refusals)).toEqual([undefined]);
});

test("a choice that neither takes the work nor sends it back is no refusal", async () => {
  const { s, requests } = await run(async (verbs) => {
    await accepted(verbs, "one");
    await verbs.agent(reader, {});
  });
  await answer(s, { choice: "later", note: "one more look" });
  expect(requests.map((request) => request.refusals)).toEqual([undefined]);
});

test("another engine that takes the run up asks the same question, and takes the answer to it", async () => {
  const { s } = await run(async (verbs) => {
    await accepted(verbs, "one");
    await accepted(verbs, "one");
  });
  await answer(s, { choice: "again", note: NOTE });
  const later = await s.again({});
  expect(await later.drive()).toMatchObject({ status: "waiting" });
  expect(await answer(later, { choice: "yes" })).toMatchObject({ status: "done" });
  expect(await asked(s)).toHaveLength(2);
});
