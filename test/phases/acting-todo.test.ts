import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import type { JournalRecord } from "../../src/core/journal/record.ts";
import { begin, live, loadSources, memoryMemory, newOracle, type Scenario, toEnd } from "../crash/lives.ts";
import { paperWorld } from "../support/answers/paper-world.ts";
import { COMMANDS, cast, takeFirst } from "../support/answers/scenario.ts";
import {
  ANSWERS,
  asked,
  builds,
  createProposal,
  createReply,
  notesOf,
  type Played,
  phase,
  pipeline,
  plans,
  play,
  SMALL,
  sentTo,
  turns,
} from "./paper.ts";

/** Lists the data of every note in order, with the dispatches between them. */
function listNotes(records: readonly JournalRecord[]): (Record<string, unknown> | string)[] {
  const notes = new Set(
    records.flatMap((each) => (each.type === "step.started" && each.verb === "note" ? [each.key] : [])),
  );
  return records.flatMap((each): (Record<string, unknown> | string)[] => {
    // The value of a note is its data.
    if (each.type === "step.finished" && notes.has(each.key)) return [each.value as Record<string, unknown>];
    if (each.type === "approval.requested") return [each.title.split(/[:.]/)[0] ?? ""];
    return each.type === "agent.started" && each.role === "CoreImplementer" ? [each.task ?? ""] : [];
  });
}
const listTodos = (records: readonly JournalRecord[]) =>
  listNotes(records).flatMap((each) => {
    if (typeof each === "string") return [each];
    const items = Object.entries(each).filter(([key]) => key.startsWith("todo "));
    return items.length > 0 ? [items.map(([, line]) => line).join(" | ")] : [];
  });

test("[P-26] every phase has an item from the start; each is closed separately, before the next pause", async () => {
  const { records } = await play({ parts: { Planner: plans(SMALL) } });
  expect(listTodos(records)).toEqual([
    "Approve the plan?",
    "[ ] Phase 1 — Part 1 | [ ] Phase 2 — Part 2",
    "Wave 1",
    "phase-1",
    "[x] Phase 1 — Part 1",
    "Wave 2",
    "phase-2",
    "[x] Phase 2 — Part 2",
    "All phases are complete",
  ]);
});

test("[P-26] phases of one wave are closed one at a time", async () => {
  const both = createProposal({ phases: [phase(1, 1), phase(2, 1)], complexity_tier: "SMALL" });
  const { records } = await play({ parts: { Planner: plans(both) } });
  const closed = listTodos(records).filter((each) => each.includes("[x]"));
  expect(closed.sort()).toEqual(["[x] Phase 1 — Part 1", "[x] Phase 2 — Part 2"]);
});

test("[P-26] an incomplete phase keeps its item open", async () => {
  const fails = () => ({
    contract: createReply("CoreImplementer", { status: "FAILED", failure_classification: "escalate" }),
  });
  const played = await play({ parts: { Planner: plans(SMALL), CoreImplementer: fails } });
  expect(notesOf(played)).toMatchObject({ "todo 1": "[ ] Phase 1 — Part 1" });
});

test("[P-65] a wave boundary corrects the list before the next wave", async () => {
  const both = createProposal({ phases: [phase(1, 1), phase(2, 1)], complexity_tier: "SMALL" });
  let merges = 0;
  const played = await play({
    parts: { Planner: plans(both) },
    perform: (effect, paper) => {
      merges += effect.kind === "merge" ? 1 : 0;
      return effect.kind === "merge" && merges === 1 ? { clean: false, at: 1, conflicts: ["x"] } : paper(effect);
    },
  });
  const lines = listTodos(played.records).filter((each) => each.includes("Phase 2") || each === "phase-2");
  expect(lines.slice(1)).toEqual([
    "phase-2",
    "[x] Phase 2 — Part 2",
    "[ ] Phase 2 — Part 2",
    "phase-2",
    "[x] Phase 2 — Part 2",
  ]);
  expect(played.status).toBe("done");
});

test("[P-65] completion finds every item closed", async () => {
  const played = await play({ parts: { Planner: plans(SMALL) } });
  expect(played.records).toContainEqual(
    expect.objectContaining({ type: "gate.evaluated", gate: "COMPLETION_GATE", rule: "P-65", passed: true }),
  );
});

const sources = await loadSources(fileURLToPath(new URL("../../src", import.meta.url)));
const scenario: Scenario = {
  name: "two phases one after the other",
  pipeline,
  input: { request: "Add three parts" },
  approvals: "autonomous",
  commands: COMMANDS,
  perform: paperWorld({ pipeline, base: {}, commands: COMMANDS, play: cast({ ...ANSWERS, Planner: plans(SMALL) }) }),
  answer: takeFirst,
};

/** Stops the process at the first record that matches, before it is stored, and lets another engine take over. */
async function runKilledAt(found: (record: JournalRecord) => boolean) {
  const memory = memoryMemory(sources);
  const oracle = newOracle();
  const starter = await live(sources, { host: memory.open(), scenario, oracle, owner: "starter", adopts: false });
  const run = await begin(starter, scenario);
  let died: () => void = () => {};
  const death = new Promise<"dead">((resolve) => {
    died = () => resolve("dead");
  });
  const inner = memory.open();
  let dead = false;
  const append: typeof inner.journal.append = async (lease, records) => {
    if (dead) return new Promise(() => {});
    // Before it is stored, a record lacks only its position in the chain.
    if (!records.some((record) => found(record as JournalRecord))) return inner.journal.append(lease, records);
    dead = true;
    died();
    return new Promise(() => {});
  };
  const host = { ...inner, journal: { ...inner.journal, append } };
  await live(sources, { host, scenario, oracle, owner: "first", adopts: false });
  await Promise.race([toEnd(host, run, scenario), death]);
  const before = await inner.journal.load(run);
  const after = memory.fork();
  const second = await live(sources, { host: after.open(), scenario, oracle, owner: "second", adopts: true });
  const status = await toEnd(second.host, run, scenario);
  const all = await second.host.journal.load(run);
  return { status, before, resumed: all.slice(before.length) };
}

test("[P-27] after a restart the list is updated before any other work", async () => {
  const reviewed = (each: JournalRecord) => each.type === "agent.finished" && each.role === "CodeReviewer";
  const { status, before, resumed } = await runKilledAt(reviewed);
  expect(listTodos(before)).not.toContain("[x] Phase 1 — Part 1");
  expect(listTodos(resumed)[0]).toBe("[x] Phase 1 — Part 1");
  const marked = resumed.findIndex(
    (each) => each.type === "step.finished" && JSON.stringify(each.value ?? "").includes("[x]"),
  );
  const work = resumed.findIndex((each) => each.type === "agent.started" || each.type === "gate.evaluated");
  expect(marked).toBeLessThan(work);
  expect(status).toBe("done");
});

test("[P-44] status shows state, phase, wave, agents, actions and retries while the run waits", async () => {
  const silent = { failure: { code: "rate_limit", transient: true } } as const;
  const parts = {
    Planner: plans(SMALL),
    CoreImplementer: turns(
      () => silent,
      builds(() => "export {};\n"),
    ),
  };
  const played = await play({ parts, approvals: "interactive", answers: ["approve"] });
  expect(played.status).toBe("waiting");
  expect(notesOf(played)).toMatchObject({
    state: "WAITING_APPROVAL",
    phase: "2 of 2 — Part 2",
    wave: "2 of 2",
    active_agents: [],
    last_action: "phase 1 is complete",
    next_action: "approval",
    retries: { transient: 1 },
  });
});

test("[P-44] status names the agents of a running wave", async () => {
  const { records } = await play({ parts: { Planner: plans(SMALL) } });
  const acting = listNotes(records).find((each) => typeof each === "object" && each["state"] === "ACTING");
  expect(acting).toMatchObject({
    phase: "1 of 2 — Part 1",
    wave: "1 of 2",
    active_agents: ["CoreImplementer-subagent"],
  });
});

test("[P-44] a retried phase shows how often, per class", async () => {
  const fixable = () => ({
    contract: createReply("CoreImplementer", { status: "FAILED", failure_classification: "fixable" }),
  });
  const parts = {
    Planner: plans(SMALL),
    CoreImplementer: turns(
      fixable,
      builds(() => "export {};\n"),
    ),
  };
  const played: Played = await play({ parts });
  expect(notesOf(played)).toMatchObject({ "phase 1": { state: "complete", retries: { fixable: 1 } } });
  expect(asked(played, "Try again?")).toBeUndefined();
  expect(sentTo(played, "CoreImplementer")).toHaveLength(3);
});
