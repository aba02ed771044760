import { expect, test } from "vitest";
import { z } from "zod";
import { pipe } from "../../../test/support/pipe.ts";
import { type Said, toEnd } from "../../../test/support/played.ts";
import { done, stage, world } from "../../../test/support/stage.ts";
import type { Finding } from "../../core/authoring/finding.ts";
import { defineRole } from "../../core/authoring/role.ts";
import { valueRule } from "../../core/authoring/rule.ts";
import type { AttemptRequest } from "../../core/journal/effect.ts";
import type { JournalRecord } from "../../core/journal/record.ts";
import { listRefusalsSince } from "./fork-refused.ts";

const contract = z.object({ summary: z.string() });
const planner = defineRole({ name: "planner", does: "plans", contract });
const writer = defineRole({ name: "writer", does: "writes", contract, writes: true });
const RED: Finding = {
  severity: "major",
  message: "test passed on the baseline and fails now",
  tests: ["t.js › adds"],
  output: "3 !== 4",
};

/** Plans, then works in two rounds; `found` is what the gate has against each of them. */
const working = (found: readonly (readonly Finding[])[], reason?: string) =>
  pipe(
    async ({ phase, agent, loop, gate, ask }) => {
      phase("1 Plan");
      await agent(planner, {});
      phase("2 Work");
      const result = await loop({ max: found.length }, async ({ round }) => {
        await agent(writer, {});
        const findings = found[round - 1] ?? [];
        const rule = valueRule({ id: "W", because: "w", judge: () => ({ passed: findings.length === 0, findings }) });
        return { decision: await gate("work", [rule], {}) };
      });
      if (result.ended === "passed") return { status: "done" };
      await ask({ title: "Go on?", show: {}, choices: ["stop"], auto: "never" });
      return { status: "error", reason: reason ?? `not finished: ${result.decision.findings[0]?.message}` };
    },
    {
      phases: [
        { title: "1 Plan", roles: [planner] },
        { title: "2 Work", roles: [writer] },
      ],
    },
  );

type Story = {
  readonly found: readonly (readonly Finding[])[];
  readonly said?: Said;
  readonly reason?: string;
  readonly phase?: string;
};

/** What the agents of a second run are told, which goes on from a phase of the first. */
async function toldAfter({
  found,
  said = "stop",
  reason,
  phase = "2 Work",
}: Story): Promise<readonly AttemptRequest[]> {
  const pipeline = working(found, reason);
  const sent: AttemptRequest[] = [];
  const perform = world((request) => {
    sent.push(request);
    return done({ summary: "done" }, "after");
  });
  const first = await stage({ pipeline, perform });
  await toEnd(first, { answers: [said] });
  const from = { records: await first.records(), phase };
  sent.length = 0;
  const second = await stage({ pipeline, perform, host: first.host, order: { from } });
  await toEnd(second, {});
  return sent;
}

test("[A-34] a repeated phase gets the findings against it, with tests and output, and the notes of people", async () => {
  const [writing] = await toldAfter({ found: [[RED]], said: { choice: "stop", note: "mind the sign" } });
  expect(writing?.refused).toEqual([{ severity: "major", message: "mind the sign", by: "Ada" }, RED]);
});

test("what a later round settled is not told, and neither is what was said beside something heavier", async () => {
  const minor: Finding = { severity: "minor", message: "a long line" };
  const other: Finding = { severity: "major", message: "nothing was changed" };
  const [writing] = await toldAfter({ found: [[RED], [other, minor]] });
  expect(writing?.refused).toEqual([other]);
});

test("an end that says something of its own is told too", async () => {
  const [writing] = await toldAfter({ found: [[RED]], reason: "the commit was refused" });
  expect(writing?.refused).toEqual([RED, { severity: "major", message: "it ended: the commit was refused" }]);
});

test("every agent from that phase on is told, unless the earlier run had no refusals", async () => {
  const told = await toldAfter({ found: [[RED]], phase: "1 Plan" });
  expect(told.map(({ role, refused }) => [role, refused?.length])).toEqual([
    ["planner", 1],
    ["writer", 1],
  ]);
  const content = await toldAfter({ found: [[]] });
  expect(content.map(({ refused }) => refused)).toEqual([undefined]);
});

test("a note beside a yes is no refusal", () => {
  const decided = (key: string, choice: string, note: string) =>
    ({ type: "approval.decided", key, choice, note, by: "Ada" }) as unknown as JournalRecord;
  const answered = (key: string, choice: string, passed: boolean) =>
    ({ type: "step.finished", key, value: { choice, decision: { passed } } }) as unknown as JournalRecord;
  const records = [
    decided("a", "accept", "fine by me"),
    answered("a", "accept", true),
    decided("b", "revise", "mind the sign"),
    answered("b", "revise", false),
  ];
  expect(listRefusalsSince(records, 0)).toEqual([{ severity: "major", message: "mind the sign", by: "Ada" }]);
});
