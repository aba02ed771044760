import { rmSync } from "node:fs";
import { dirname } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type CommandEnd, type Event, makeScene } from "./scene.ts";

const MINUTES = 60_000;
const parseKeptFolder = ({ err }: CommandEnd): string => /Demo repository: (.*)$/m.exec(err)?.[1] ?? "";

describe("the demo", () => {
  const scene = makeScene();
  let ended: CommandEnd;
  const selectEvents = (type: string): Event[] => ended.events.filter((event) => event.type === type);
  const findIndex = (event: Event | undefined): number => ended.events.indexOf(event as Event);
  const selectRefusals = (gate: string): Event[] =>
    selectEvents("gate.evaluated").filter((event) => event["gate"] === gate && event["passed"] === false);
  const selectShownCommands = (command: string): Event[] =>
    selectEvents("demo.showed").filter((event) => String(event["command"]).startsWith(`signalbox ${command}`));

  beforeAll(async () => {
    ended = await scene.signalbox("demo", "--json", "--keep");
  }, 3 * MINUTES);
  afterAll(() => {
    const kept = parseKeptFolder(ended);
    // A failed demo names no folder, and an empty path would be the folder that the tests run in.
    if (kept !== "") rmSync(dirname(kept), { recursive: true, force: true });
  });

  test("exits with 0, and its last line is the end of the run", () => {
    expect(ended.exit, ended.err).toBe(0);
    expect(ended.events.at(-1)).toMatchObject({ type: "run.finished", status: "done", exit: 0, confidence: "high" });
  });

  test("prints every record of the run once and in order", () => {
    const seqs = ended.events.filter((event) => "seq" in event).map((event) => event["seq"]);
    expect(seqs.length).toBeGreaterThan(100);
    expect(seqs).toEqual(seqs.map((_, index) => index + 1));
  });

  test("four researchers run in parallel; one fails, is retried and succeeds", () => {
    const researchers = selectEvents("agent.finished").filter((event) => event["role"] === "researcher");
    const [failed, ...others] = researchers.filter((event) => event["outcome"] === "failed");
    expect(others).toEqual([]);
    expect(selectEvents("agent.retried")).toMatchObject([{ instance: failed?.["instance"], attempt: 2 }]);
    const done = researchers.filter((event) => event["outcome"] === "done");
    expect(new Set(done.map((event) => event["instance"])).size).toBe(4);
    expect(done).toContainEqual(expect.objectContaining({ instance: failed?.["instance"], attempt: 2 }));
    const starts = selectEvents("agent.started").filter((event) => event["role"] === "researcher");
    expect(findIndex(starts[3])).toBeLessThan(findIndex(researchers[0]));
  });

  test("a gate refuses the design with too few approvals, and passes the revision", () => {
    const [first, second] = selectEvents("gate.evaluated").filter(
      (event) => event["gate"] === "design review" && event["rule"] === "EG-6",
    );
    expect(first).toMatchObject({ passed: false, need: 2 });
    expect(Number(first?.["actual"])).toBeLessThan(Number(first?.["need"]));
    expect(second).toMatchObject({ passed: true });
  });

  test("every rule evaluates the same on replay, and --check reports no difference", async () => {
    const gates = [...new Set(selectEvents("gate.evaluated").map((event) => String(event["gate"])))];
    expect(gates.length).toBeGreaterThan(5);
    for (const gate of gates) {
      const { exit, out } = await scene.signalbox("-C", parseKeptFolder(ended), "gate", gate, "--check", "--json");
      const { evaluations, difference } = JSON.parse(out);
      const otherwise = evaluations.filter((each: { agrees: unknown }) => each.agrees !== true);
      expect([gate, exit, difference, otherwise]).toEqual([gate, 0, null, []]);
    }
  });

  test("the refused gate is shown with its query and the rows it reads", () => {
    expect(selectShownCommands("gate EG-6 --sql")[0]?.["document"]).toMatchObject({
      rules: [{ id: "EG-6", kind: "sql", sql: expect.stringContaining("anvil_checks") }],
    });
    const [rows] = selectShownCommands("gate EG-6").filter((event) => !String(event["command"]).includes("--sql"));
    expect(rows?.["document"]).toMatchObject({
      passed: false,
      evaluations: [{ recorded: { passed: false, actual: 1, need: 2 }, agrees: true, rows: [{ rows: { length: 9 } }] }],
    });
  });

  test("an agent that claims success while a test fails is refused with the evidence", () => {
    const [lie] = selectEvents("claim.recorded").filter((event) => event["task"] === "initials");
    expect(lie).toMatchObject({ claim: { status: "DONE", summary: expect.stringContaining("tests pass") } });
    const red = selectEvents("evidence.recorded").filter(
      (event) => event["task"] === "initials" && event["passed"] === false,
    );
    expect(red.map((event) => event["check"])).toContain("test");
    expect(red[0]).toMatchObject({ phase: "after", round: 1, exitCode: 1 });
    expect(findIndex(red[0])).toBeGreaterThan(findIndex(lie));
    expect(selectRefusals("verified initials")).toContainEqual(
      expect.objectContaining({ rule: "EG-2", actual: 0, need: 2 }),
    );
    expect(selectShownCommands("why")[0]?.["document"]).toMatchObject({
      contradicted: [{ task: "initials", claims: [{ role: "implementer" }], bad: [{ check: "test", passed: false }] }],
    });
  });

  test("a weakened test is found although every command of the repository passes", () => {
    const seen = selectEvents("evidence.recorded").filter(
      (event) => event["task"] === "greet" && event["phase"] === "after" && event["round"] === 1,
    );
    const failed = seen.filter((event) => event["passed"] === false);
    expect(new Set(failed.map((event) => event["check"]))).toEqual(new Set(["exam-old-on-new"]));
    expect(failed[0]).toMatchObject({ findings: [{ by: "exam", files: ["test/greet.test.js"] }, { by: "exam" }] });
    expect(seen.filter((event) => event["check"] === "test")).toMatchObject([{ passed: true }]);
    expect(selectRefusals("verified greet")).toContainEqual(expect.objectContaining({ rule: "EG-2", actual: 0 }));
    const asked = selectShownCommands("sql")[0]?.["document"];
    expect(asked).toMatchObject({ columns: ["check_name", "passed"] });
    expect(asked).toHaveProperty(
      "rows",
      expect.arrayContaining([
        ["exam-old-on-new", 0],
        ["test", 1],
      ]),
    );
  });

  test("both refused tasks are repaired in the next round, and accepted work is not repeated", () => {
    const again = selectEvents("agent.started").filter(
      (event) => event["role"] === "implementer" && event["round"] === 2,
    );
    expect(again.map((event) => event["task"]).sort()).toEqual(["greet", "initials"]);
    for (const task of ["greet", "initials"]) {
      const rules = selectEvents("gate.evaluated").filter((event) => event["gate"] === `verified ${task}`);
      const keys = [...new Set(rules.map((event) => event["key"]))];
      expect(keys).toHaveLength(2);
      expect(rules.filter((event) => event["key"] === keys[1]).every((event) => event["passed"])).toBe(true);
    }
  });

  test("the engine is killed while two tasks are in progress, and another takes over", () => {
    const [killed] = selectEvents("demo.killed");
    expect(killed).toMatchObject({ signal: "SIGKILL", pid: expect.any(Number) });
    const engines = selectEvents("engine.started");
    const victim = engines.findLast((event) => findIndex(event) < findIndex(killed));
    expect(String(victim?.["owner"]).split(":")[1]).toBe(String(killed?.["pid"]));
    const next = engines.find((event) => findIndex(event) > findIndex(killed));
    expect(next).toBeDefined();
    const parted = selectEvents("run.suspended").filter(
      (event) => findIndex(event) > findIndex(victim) && findIndex(event) < findIndex(next),
    );
    expect(parted).toEqual([]);
    const atWork = selectEvents("agent.started").filter(
      (event) => event["role"] === "implementer" && findIndex(event) < findIndex(killed),
    );
    expect(atWork.map((event) => event["task"]).sort()).toEqual(["initials", "shout"]);
    const ends = selectEvents("agent.finished").filter((event) => atWork.some((work) => work["key"] === event["key"]));
    expect(ends.every((event) => findIndex(event) > findIndex(killed))).toBe(true);
    expect(ends).toContainEqual(expect.objectContaining({ task: "shout", outcome: "done", adopted: true }));
    expect(ends).toContainEqual(expect.objectContaining({ task: "initials", outcome: "interrupted", attempt: 1 }));
  });

  test("no finished step is repeated", () => {
    const finished = new Set<unknown>();
    for (const event of ended.events) {
      if (event.type === "step.started" || event.type === "agent.started") {
        expect(finished.has(event["key"]), String(event["key"])).toBe(false);
      }
      if (event.type === "step.finished") expect(finished.has(event["key"])).toBe(false);
      if (event.type === "step.finished") finished.add(event["key"]);
    }
    expect(finished.size).toBeGreaterThan(50);
    expect(selectEvents("demo.told")).toMatchObject([{ repeated: 0 }]);
  });

  test("a second process answers the question of the suspended run", () => {
    const asked = selectEvents("approval.requested").map((event) => event["approval"]);
    const answered = selectShownCommands("approve");
    expect(answered.map((event) => (event["document"] as { approval: string }).approval)).toEqual(asked);
    expect(selectEvents("approval.decided").map((event) => event["approval"])).toEqual(asked);
    expect(selectEvents("approval.decided").every((event) => String(event["note"]).includes("by the demo"))).toBe(true);
    for (const [index, decided] of selectEvents("approval.decided").entries()) {
      expect(findIndex(answered[index])).toBeGreaterThan(findIndex(selectEvents("run.suspended")[index]));
      expect(findIndex(decided)).toBeGreaterThan(findIndex(answered[index]));
    }
  });

  test("there is one commit, and the records agree with it", () => {
    const steps = selectEvents("step.started").filter((event) => event["verb"] === "commit");
    expect(steps).toHaveLength(1);
    const made = selectEvents("step.finished").filter((event) => event["key"] === steps[0]?.["key"]);
    expect(made).toMatchObject([{ value: { commit: expect.stringMatching(/^[0-9a-f]{40}$/) } }]);
    expect(selectEvents("demo.told")).toMatchObject([{ commits: 1, commit: made[0]?.["value"] }]);
    expect(selectShownCommands("evidence --verify")[0]?.["document"]).toMatchObject({ agrees: true, differences: [] });
  });

  test("the orchestration uses no tokens", () => {
    const used = selectEvents("agent.finished").map((event) => event["usage"] as Record<string, number> | undefined);
    expect(used.every((usage) => !usage?.["inputTokens"] && !usage?.["outputTokens"])).toBe(true);
    expect((selectEvents("demo.told")[0]?.["orchestrationMs"] as number) > 0).toBe(true);
  });
});
