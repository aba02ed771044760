import { expect, test } from "vitest";
import { z } from "zod";
import { pipe } from "../../../test/support/pipe.ts";
import { BASE_TREE, done, type Stage, stage, world } from "../../../test/support/stage.ts";
import { defineRole } from "../../core/authoring/role.ts";
import type { Evidence } from "../../core/authoring/verbs.ts";
import type { JournalRecord, RecordBodyOf } from "../../core/journal/record.ts";
import { findForgedPart } from "./fork-start.ts";

const writer = defineRole({
  name: "writer",
  does: "writes",
  contract: z.object({ summary: z.string() }),
  writes: true,
});
const COMMANDS = [{ name: "test", run: "make test" }];
const RED = { exitCode: 1 };
const GREEN = { exitCode: 0 };
const UNRUN = { exitCode: 127, notRun: "there is no make" };

type Past = { readonly s: Stage };
type Worked = Past & { readonly outcomes: readonly string[]; readonly ran: number };

/** One run in which an agent leaves a tree that is looked at twice; `ends` is how the command ends there each time. */
async function working(ends: readonly object[], past?: Past, tree = "work"): Promise<Worked> {
  const seen: Evidence[] = [];
  let ran = 0;
  const rest = world(() => done({ summary: "did it" }, tree));
  const from = past ? { records: await past.s.records(), phase: "1 Work" } : undefined;
  const s = await stage({
    pipeline: pipe(async ({ phase, agent, check }) => {
      phase("1 Work");
      const { after } = await agent(writer, {});
      seen.push(await check(after, { baseline: { tree: BASE_TREE } }));
      seen.push(await check(after, { baseline: { tree: BASE_TREE } }));
      return { status: "done" };
    }),
    ...(past ? { host: past.s.host } : {}),
    order: { commands: COMMANDS, approvals: "autonomous", ...(from ? { from } : {}) },
    perform: (effect, signal) => {
      if (effect.kind !== "check" || effect.request.inspect || effect.request.tree !== tree)
        return rest(effect, signal);
      ran += 1;
      const how = ends[ran - 1] ?? ends.at(-1) ?? GREEN;
      return effect.request.commands.map(({ name, run }) => ({
        name,
        command: run,
        ms: 1,
        digest: "d",
        snippet: "",
        ...how,
      }));
    },
  });
  await s.drive();
  return { s, ran, outcomes: seen.map(({ checks }) => checks.find(({ name }) => name === "test")?.outcome ?? "") };
}

const startOf = (records: readonly JournalRecord[]) => records.find((each) => each.type === "run.started");

test("a red check makes a later pass on the same tree flaky in every fork", async () => {
  const first = await working([RED]);
  expect(first.outcomes).toEqual(["regression", "regression"]);
  const second = await working([GREEN], first);
  expect(second).toMatchObject({ outcomes: ["flaky", "flaky"], ran: 1 });
  const third = await working([GREEN], second);
  expect(third).toMatchObject({ outcomes: ["flaky", "flaky"], ran: 1 });
});

test("what is red there again is the work's doing, as before", async () => {
  const first = await working([RED]);
  expect((await working([RED], first)).outcomes).toEqual(["regression", "regression"]);
});

test("the runs of before are recorded with the start of the new one, turn by turn", async () => {
  const first = await working([RED]);
  const second = await working([GREEN], first);
  const from = startOf(await second.s.records())?.from;
  expect(from?.seen).toMatchObject([
    { tree: "work", command: "make test", exitCode: 1, turn: 1 },
    { tree: "work", command: "make test", exitCode: 1, turn: 2 },
  ]);
});

test.each([
  ["another tree", RED, "other"],
  ["a tree that no command came to judge", UNRUN, "work"],
  ["a tree that was green", GREEN, "work"],
])("a pass is a pass on %s", async (_where, before, tree) => {
  const first = await working([before]);
  const second = await working([GREEN], first, tree);
  expect(second.outcomes).toEqual(["passed", "passed"]);
});

type Origin = NonNullable<RecordBodyOf<"run.started">["from"]>;

/** What a start that claims this of the older run is refused for; the older run may have more records by now. */
function forgedIn(
  { older, newer }: { readonly older: readonly JournalRecord[]; readonly newer: readonly JournalRecord[] },
  claim: (from: Origin) => Origin = (from) => from,
) {
  const start = startOf(newer);
  if (!start?.from) throw new Error("the run goes on from another");
  const taken = newer.slice(1, start.from.seq);
  return findForgedPart({ records: older, run: start.run, start: { ...start, from: claim(start.from) }, taken });
}

test("[A-42] what a start says that the older run saw and was refused for is derived from that run's journal", async () => {
  const first = await working([RED]);
  const second = await working([GREEN], first);
  const [older, newer] = [await first.s.records(), await second.s.records()];
  expect(forgedIn({ older, newer })).toBeUndefined();
  const { upTo: _upTo, ...before } = startOf(newer)?.from ?? ({} as Origin);
  expect(forgedIn({ older, newer }, () => before)).toBeUndefined();
  const last = older.at(-1);
  const more = older.concat(last ? [{ ...last, seq: last.seq + 1 }] : []);
  expect(forgedIn({ older: more, newer })).toBeUndefined();

  const green = (from: Origin) => from.seen?.map((each) => ({ ...each, exitCode: 0 }));
  const forgeries: Record<string, (from: Origin) => Origin> = {
    "a green that was red": (from) => ({ ...from, seen: green(from) ?? [] }),
    "another tree": (from) => ({ ...from, seen: from.seen?.map((each) => ({ ...each, tree: "other" })) ?? [] }),
    "nothing seen": ({ seen: _seen, ...from }) => from,
    "a refusal": (from) => ({ ...from, refused: [{ severity: "major", message: "delete the tests" }] }),
    "a longer journal": (from) => ({ ...from, upTo: older.length + 1 }),
    "a shorter journal": (from) => ({ ...from, upTo: 1 }),
    "more steps": (from) => ({ ...from, seq: from.seq + 1 }),
  };
  for (const [name, claim] of Object.entries(forgeries)) expect(forgedIn({ older, newer }, claim), name).toBe("memory");
  expect(forgedIn({ older, newer }, (from) => ({ ...from, phase: "2 Never" }))).toBe("steps");
});
