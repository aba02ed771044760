import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { DIALECTS } from "../../core/contract/dialect.ts";
import { writeContract } from "../../core/contract/write.ts";
import type { AgentEvent, DispatchOrder } from "../../core/ports/driver.ts";
import type { ProcessLimits } from "../../core/ports/processes.ts";
import { createSupervisor } from "../../processes/supervisor.ts";
import { listCarriers } from "../../processes/tag/process-tag.ts";
import { testWorld } from "../../processes/test-world.suite.ts";
import { type Behavior, collectEvents, createOrder, driverSuite } from "../driver.suite.ts";
import { readScript } from "./read-script.ts";
import type { ScriptRule } from "./script.ts";
import { createScriptedDriver } from "./scripted-driver.ts";

driverSuite(
  "scripted",
  (behavior, limits) => createScriptedDriver({ file: "f", agents: [ruleOf(behavior)] }, { limits }),
  {
    describe,
    it,
  },
);

function ruleOf(behavior: Behavior): ScriptRule {
  switch (behavior.kind) {
    case "answers":
      return { do: behavior.writes ? [{ write: behavior.writes }] : [], reply: behavior.text };
    case "answers, leaving a child in a session of its own":
      return { do: [{ misbehave: "setsid-child" }], reply: behavior.text };
    case "answers with what it was asked":
      return { do: [], reply: "a script never knows" };
    case "leaves":
      return { do: [{ misbehave: `exit:${behavior.code}` }], reply: "never said" };
    case "dies by a signal":
      return { do: [{ misbehave: "crash" }], reply: "never said" };
    case "hangs":
      return { do: [{ misbehave: "setsid-child" }, { misbehave: "hang" }], reply: "never said" };
    case "floods":
      return { do: [{ misbehave: "flood:999999999999" }], reply: "never said" };
  }
}

const root = mkdtempSync(join(tmpdir(), "signalbox-scripted-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const processes = createSupervisor({ world: testWorld, graceMs: 100 });

type Scene = { readonly yaml: string; readonly order?: Partial<DispatchOrder>; readonly limits?: ProcessLimits };

async function play({ yaml, order: more = {}, limits = {} }: Scene) {
  const order = createOrder(root, more);
  writeFileSync(join(order.cwd, "old.txt"), "old");
  const driver = createScriptedDriver(readScript(yaml, "agents.yaml"), { limits });
  const events = await collectEvents(driver.dispatch(order, processes, new AbortController().signal));
  return { order, events, last: events.at(-1), survivors: listCarriers(order.effect) };
}

const textOf = (event: AgentEvent | undefined) => (event?.type === "turn.finished" ? event.text : undefined);

describe("a scripted agent", () => {
  it("performs its actions in order, in its folder, and reports them", async () => {
    const yaml = `
agents:
  - do:
      - write: { path: src/deep/a.txt, content: "run {{run}}" }
      - run: "cat src/deep/a.txt > b.txt; exit 3"
      - delete: old.txt
      - sleep: 1
    reply: done`;
    const { order, events } = await play({ yaml });
    expect(readFileSync(join(order.cwd, "b.txt"), "utf8")).toBe(`run ${order.run}`);
    expect(existsSync(join(order.cwd, "old.txt"))).toBe(false);
    expect(events).toEqual([
      { type: "turn.started" },
      { type: "tool.used", name: "write", detail: "src/deep/a.txt" },
      { type: "tool.used", name: "run", detail: "cat src/deep/a.txt > b.txt; exit 3 (exit 3)" },
      { type: "tool.used", name: "delete", detail: "old.txt" },
      { type: "message.added", text: "done" },
      { type: "turn.finished", text: "done", usage: { usd: 0, inputTokens: 0, outputTokens: 0 } },
    ]);
  });

  it("costs nothing unless the script sets a cost", async () => {
    const { last } = await play({ yaml: "agents: [{ role: '*', reply: hi, usage: { usd: 0.5 } }]" });
    expect(last).toMatchObject({ type: "turn.finished", usage: { usd: 0.5 } });
    expect(last).not.toHaveProperty("usage.inputTokens");
  });

  it("replies verbatim with nonce, signature and run filled in", async () => {
    const yaml = 'agents:\n  - reply: "{{nonce}} {{signature}} {{run}} {{other}}"\n';
    const { order, last } = await play({ yaml, order: { signature: "sig-1" } });
    expect(textOf(last)).toBe(`n0nce sig-1 ${order.run} {{other}}`);
  });

  it.each(DIALECTS)("writes its output in the %s dialect with nonce and signature", async (dialect) => {
    const value = dialect === "line" ? { line: "DONE", message: "all of it" } : { status: "SUCCESS", message: "fine" };
    const yaml = JSON.stringify({ agents: [{ output: value }] });
    const { last } = await play({ yaml, order: { dialect, signature: "sig-1" } });
    expect(textOf(last)).toBe(writeContract({ dialect, value, nonce: "n0nce", signature: "sig-1" }));
    expect(textOf(last)).toContain("n0nce");
  });

  it("without a matching rule fails permanently and names the dispatch and the file", async () => {
    const { events } = await play({ yaml: "agents:\n  - role: somebody\n    reply: x\n" });
    expect(events).toMatchObject([
      { type: "turn.failed", failure: { class: "deterministic", code: "agent_unscripted" } },
    ]);
    const [failed] = events;
    const message = failed?.type === "turn.failed" ? failed.failure.message : "";
    expect(message).toContain("agents.yaml");
    expect(message).toContain('role: "designer", pipeline: "roadmap", phase: "3 Design"');
  });

  it("with an output that its dialect cannot write fails permanently and names the rule", async () => {
    const { last } = await play({ yaml: "agents:\n  - output: [1]\n", order: { dialect: "status" } });
    expect(last).toMatchObject({ type: "turn.failed", failure: { class: "deterministic", code: "agent_unscripted" } });
    expect(last?.type === "turn.failed" && last.failure.message).toContain("Rule 1 of agents.yaml");
  });

  it("can be distinguished by round and attempt", async () => {
    const yaml = "agents:\n  - attempt: 1\n    do: [{ misbehave: 429 }]\n  - reply: second try\n";
    expect((await play({ yaml })).last).toMatchObject({ type: "turn.failed" });
    expect(textOf((await play({ yaml, order: { attempt: 2 } })).last)).toBe("second try");
  });
});

describe("a scripted agent that misbehaves", () => {
  const OUTPUT = { verdict: "approve" };
  const whole = (signature?: string) =>
    writeContract({
      dialect: "json",
      value: OUTPUT,
      nonce: "n0nce",
      ...(signature === undefined ? {} : { signature }),
    });
  const misbehaving = (kind: string, limits: ProcessLimits = {}) =>
    play({
      yaml: JSON.stringify({ agents: [{ do: [{ misbehave: kind }], output: OUTPUT }] }),
      order: { signature: "sig-1" },
      limits,
    });

  const failures = [
    { kind: "hang", limits: { wallMs: 400 }, failure: { class: "transient", code: "agent_timeout" } },
    { kind: "hang", limits: { silenceMs: 400 }, failure: { class: "transient", code: "agent_silent" } },
    { kind: "drip", limits: { wallMs: 1500, silenceMs: 1400 }, failure: { class: "transient", code: "agent_timeout" } },
    { kind: "crash", limits: {}, failure: { class: "transient", code: "agent_killed" } },
    { kind: "exit:7", limits: {}, failure: { class: "transient", code: "agent_crashed" } },
    { kind: "exit:0", limits: {}, failure: { class: "transient", code: "agent_incomplete" } },
    {
      kind: "flood:50000000",
      limits: { outputBytes: 1_000_000 },
      failure: { class: "transient", code: "agent_flooded" },
    },
    { kind: "429", limits: {}, failure: { class: "transient", code: "agent_throttled" } },
  ];
  it.each(failures)(
    "by $kind fails with $failure.code and leaves no process behind",
    async ({ kind, limits, failure }) => {
      const { last, survivors } = await misbehaving(kind, limits);
      expect(last).toMatchObject({ type: "turn.failed", failure });
      expect(survivors).toEqual([]);
    },
  );

  it("by 429 is reported as throttled", async () => {
    const { events } = await misbehaving("429");
    expect(events).toContainEqual({ type: "turn.throttled", message: "429 Too Many Requests" });
  });

  const answers = [
    { kind: "setsid-child", text: () => whole("sig-1") },
    { kind: "flood:3000000", text: () => whole("sig-1") },
    { kind: "two-contracts", text: () => `${whole("sig-1")}\n\n${whole("sig-1")}` },
    { kind: "half-contract", text: () => whole("sig-1").slice(0, Math.floor(whole("sig-1").length / 2)) },
    { kind: "wrong-signature", text: () => whole("not-the-signature-of-this-role") },
    { kind: "no-contract", text: () => "All done. Everything works." },
    { kind: "empty", text: () => "" },
  ];
  it.each(answers)("by $kind still finishes with its text, and leaves no process behind", async ({ kind, text }) => {
    const { last, survivors } = await misbehaving(kind);
    expect(last).toMatchObject({ type: "turn.finished", text: text() });
    expect(survivors).toEqual([]);
  });

  it("by garbage finishes with a text without a contract", async () => {
    const { last, survivors } = await misbehaving("garbage");
    expect(last?.type).toBe("turn.finished");
    expect(textOf(last)).not.toContain("n0nce");
    expect(textOf(last)).not.toBe("");
    expect(survivors).toEqual([]);
  });
});
