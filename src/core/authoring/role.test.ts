import { expect, expectTypeOf, test } from "vitest";
import { z } from "zod";
import { definePipeline } from "./pipeline.ts";
import { defineRole, type Role } from "./role.ts";
import type { Answer, Verbs } from "./verbs.ts";

const Verdict = z.object({ approves: z.boolean() });
const typed = defineRole({
  name: "reviewer",
  does: "reads",
  input: z.object({ view: z.string(), depth: z.number().default(1) }),
  contract: Verdict,
});
const untyped = defineRole({
  name: "author",
  does: "writes",
  contract: z.object({ summary: z.string() }),
  writes: true,
});

const dispatches = async ({ agent, attempt }: Verbs<unknown>): Promise<void> => {
  expectTypeOf(await agent(typed, { view: "security" })).toEqualTypeOf<Answer<{ approves: boolean }, false>>();
  await attempt(typed, { view: "security", depth: 2 });
  // @ts-expect-error a field is missing
  await agent(typed, { depth: 2 });
  // @ts-expect-error a field has another type
  await agent(typed, { view: 7 });
  // @ts-expect-error a field that the role does not declare
  await attempt(typed, { view: "security", colour: "red" });
  expectTypeOf((await agent(untyped, { anything: [1] })).after.tree).toEqualTypeOf<string>();
};

test("what does not fit a role's input does not compile", () => {
  // Never called. The test is that the lines above compile.
  expectTypeOf(dispatches).toBeFunction();
});

test("a role's input has the type that its schema takes, and none without a schema", () => {
  expectTypeOf(typed).toEqualTypeOf<Role<{ view: string; depth?: number | undefined }, { approves: boolean }, false>>();
  expectTypeOf(untyped).toEqualTypeOf<Role<unknown, { summary: string }, true>>();
  const roles: readonly Role[] = [typed, untyped];
  expect(roles.map(({ writes, signed }) => ({ writes, signed }))).toEqual([
    { writes: false, signed: false },
    { writes: true, signed: false },
  ]);
});

test("what a role's functions are given is its contract", () => {
  const role = defineRole({
    name: "reviewer",
    does: "reads",
    contract: Verdict,
    fails: (contract) => {
      expectTypeOf(contract).toEqualTypeOf<{ approves: boolean }>();
      return undefined;
    },
    verdict: ({ approves }) => ({ passed: approves }),
    revises: ({ approves }) => !approves,
  });
  expect(role.verdict?.({ approves: true }, { instance: "", round: 1, task: "", input: {} })).toEqual({ passed: true });
  expect(role.revises?.({ approves: true })).toBe(false);
});

test("a pipeline that does not say otherwise is of version 1, speaks JSON and lets four agents work", () => {
  const spec = { name: "small", input: z.unknown(), phases: [{ title: "1 Work" }] };
  const small = definePipeline({ ...spec, does: "little" }, async () => ({ status: "done" }));
  expect(small).toMatchObject({ does: "little", version: 1, dialect: "json", cap: 4 });
  expect(small.retry([{ class: "transient", code: "x", message: "" }])).toEqual({ again: false });
});

test("the line that a pipeline has under its old name is still its line", () => {
  const spec = { name: "small", input: z.unknown(), phases: [{ title: "1 Work" }], cap: 2 };
  expect(definePipeline({ ...spec, about: "old" }, async () => ({ status: "done" }))).toMatchObject({
    does: "old",
    cap: 2,
  });
});
