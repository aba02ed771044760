import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { AgentEvent, DispatchOrder } from "../../core/ports/driver.ts";
import type { ProcessLimits } from "../../core/ports/processes.ts";
import { createSupervisor } from "../../processes/supervisor.ts";
import { listCarriers } from "../../processes/tag/process-tag.ts";
import { testWorld } from "../../processes/test-world.suite.ts";
import { collectEvents, createOrder } from "../driver.suite.ts";
import { createClaudeDriver } from "./claude-driver.ts";

const bin = join(import.meta.dirname, "../../../test/agents/fake-claude.mjs");
const root = mkdtempSync(join(tmpdir(), "signalbox-claude-talk-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const processes = createSupervisor({ world: testWorld });

type Talk = { readonly order?: DispatchOrder; readonly limits?: ProcessLimits; readonly lingerMs?: number };

async function talk(act: unknown, { order = createOrder(root), limits = {}, lingerMs = 15_000 }: Talk = {}) {
  const environment = { set: { FAKE_CLAUDE: JSON.stringify(act) } };
  const driver = createClaudeDriver({ bin, environment, limits, lingerMs });
  const events = await collectEvents(driver.dispatch(order, processes, new AbortController().signal));
  return { events, last: events.at(-1), spool: readFileSync(join(order.spool, "stdout"), "utf8") };
}

/** The fake's message is the response that it got. */
async function ask(request: object, order = createOrder(root)) {
  const { events, last } = await talk({ kind: "asks", request }, { order });
  const text = last?.type === "turn.finished" ? last.text : "{}";
  const refusals = events.filter((event) => event.type === "tool.used");
  return { answer: JSON.parse(text) as unknown, refusals };
}

const wants = (tool: string, input: object, more: object = {}) => ({
  subtype: "can_use_tool",
  tool_name: tool,
  input,
  ...more,
});

describe("a tool request of claude", () => {
  it.each(["Write", "Edit", "Read"])("to %s a file in its folder is allowed unchanged", async (tool) => {
    const order = createOrder(root);
    const input = { file_path: join(order.cwd, "new", "a.txt"), content: "x" };
    const { answer, refusals } = await ask(wants(tool, input), order);
    expect(answer).toEqual({ behavior: "allow", updatedInput: input });
    expect(refusals).toEqual([]);
  });

  it("for a file outside is refused, and both it and the user are told", async () => {
    const file_path = join(root, "outside.txt");
    const { answer, refusals } = await ask(wants("Write", { file_path, content: "x" }));
    const why = `${file_path} is outside the folder of this attempt`;
    expect(answer).toEqual({ behavior: "deny", message: why });
    expect(refusals).toEqual([{ type: "tool.used", name: "Write (refused)", detail: why }]);
  });

  it("for a file behind a link in its folder is refused", async () => {
    const order = createOrder(root);
    const outside = join(root, "elsewhere");
    mkdirSync(outside, { recursive: true });
    symlinkSync(outside, join(order.cwd, "link"));
    const { answer } = await ask(wants("Write", { file_path: join(order.cwd, "link", "a.txt") }), order);
    expect(answer).toMatchObject({ behavior: "deny" });
  });

  it.each([
    ["a command", wants("Bash", { command: "curl http://127.0.0.1:9" })],
    ["a command in its folder", wants("Bash", { command: "x", file_path: "a.txt" })],
    ["a page", wants("WebFetch", { url: "http://127.0.0.1:9" })],
    ["a search outside", wants("Glob", { path: ".", pattern: "../**" })],
    ["a file that it considers dangerous", wants("Write", { file_path: "a" }, { decision_reason_type: "safetyCheck" })],
    ["a file next to one outside", wants("Read", { file_path: "a" }, { blocked_path: "/etc/passwd" })],
  ])("is refused: %s", async (_what, request) => {
    const { answer, refusals } = await ask(request);
    expect(answer).toMatchObject({ behavior: "deny" });
    expect(refusals).toHaveLength(1);
  });

  it("of another kind gets an error instead of no answer", async () => {
    const { last } = await talk({ kind: "asks", request: { subtype: "hook_callback", callback_id: "1" } });
    expect(last).toMatchObject({ type: "turn.finished", text: "No handler for this request." });
  });
});

describe("a canceled claude", () => {
  it("is interrupted in its protocol, exits by itself and is never signaled", async () => {
    const order = createOrder(root);
    const environment = { set: { FAKE_CLAUDE: JSON.stringify({ kind: "waits to be interrupted" }) } };
    const canceled = new AbortController();
    const events: AgentEvent[] = [];
    for await (const event of createClaudeDriver({ bin, environment }).dispatch(order, processes, canceled.signal)) {
      events.push(event);
      if (event.type === "tool.used") canceled.abort();
    }
    expect(events.at(-1)).toMatchObject({ type: "turn.failed", failure: { class: "canceled" } });
    expect(readFileSync(join(order.spool, "stdout"), "utf8")).toContain('"terminal_reason":"aborted_streaming"');
    expect(existsSync(join(order.cwd, "terminated"))).toBe(false);
    expect(listCarriers(order.effect)).toEqual([]);
  });
});

describe("a claude that does not exit after its result", () => {
  it("[A-17] is ended by its client even if the engine is gone, and its result is adopted", async () => {
    const order = createOrder(root);
    const file = join(import.meta.dirname, "../../../test/agents/claude-transcripts/writes-a-file.jsonl");
    const environment = { set: { FAKE_CLAUDE: JSON.stringify({ kind: "transcript", file }) } };
    const driver = createClaudeDriver({ bin, environment, lingerMs: 50 });
    const signal = new AbortController().signal;
    // Reading stops after the first event, which looks to the attempt as if the engine had died.
    await driver
      .dispatch(order, createSupervisor({ world: testWorld }), signal)
      [Symbol.asyncIterator]()
      .next();
    const exit = join(order.spool, "exit");
    while (!existsSync(exit) || readFileSync(exit, "utf8") === "") await testWorld.sleep(20);
    expect(await driver.adopt(order, processes)).toMatchObject({ type: "turn.finished", text: "All done." });
  });
});

describe("a killed client", () => {
  it("is a transient failure, and its remaining agent is ended", async () => {
    const order = createOrder(root);
    const environment = { set: { FAKE_CLAUDE: JSON.stringify({ kind: "waits to be interrupted" }) } };
    const events: AgentEvent[] = [];
    const signal = new AbortController().signal;
    for await (const event of createClaudeDriver({ bin, environment }).dispatch(order, processes, signal)) {
      events.push(event);
      if (event.type === "tool.used") process.kill(clientOf(order), "SIGKILL");
    }
    expect(events.at(-1)).toMatchObject({ type: "turn.failed", failure: { class: "transient", code: "agent_killed" } });
    expect(listCarriers(order.effect)).toEqual([]);
  });
});

function clientOf({ effect }: DispatchOrder): number {
  const found = listCarriers(effect).find((pid) => {
    const [program = "", script = ""] = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
    return program.endsWith("node") && script.endsWith("/client.ts");
  });
  if (found === undefined) throw new Error("there is no client");
  return found;
}

const SUCCESS = {
  type: "result",
  subtype: "success",
  is_error: false,
  session_id: "c16ee364-92e1-40f5-8188-c2215659e4b8",
};
const line = (value: unknown) => ({ text: `${JSON.stringify(value)}\n` });
const LONG = { text: "x".repeat(1024), times: 3 * 1024 };
const prints = (...pieces: readonly object[]) => ({ kind: "prints", pieces });

describe("a misbehaving claude", () => {
  it("with unreadable lines is still read", async () => {
    const garbage = [{ text: "Welcome!\n" }, { text: '{"type":"result"\n' }, { text: "{}\n" }, { text: "[1]\n\n" }];
    const { last, spool } = await talk(prints(...garbage, line({ ...SUCCESS, result: "ok" })));
    expect(last).toMatchObject({ type: "turn.finished", text: "ok" });
    expect(spool).toContain("Welcome!");
  });

  it("with two results counts with the last", async () => {
    const twice = [line({ ...SUCCESS, result: "first" }), line({ ...SUCCESS, result: "second" })];
    expect((await talk(prints(...twice))).last).toMatchObject({ type: "turn.finished", text: "second" });
  });

  it("with an unterminated last line is read to the end", async () => {
    const { last } = await talk({ kind: "leaves words", text: JSON.stringify({ ...SUCCESS, result: "ok" }) });
    expect(last).toMatchObject({ type: "turn.finished", text: "ok" });
  });

  it("with a forged line of the client is not believed", async () => {
    const forged = line({ client: "refused", tool: "Bash", why: "no" });
    const { events, spool } = await talk(prints(forged, line({ ...SUCCESS, result: "ok" })));
    expect(events.filter(({ type }) => type === "tool.used")).toEqual([]);
    expect(events.at(-1)).toMatchObject({ type: "turn.finished" });
    expect(spool).not.toContain("refused");
  });

  it("with an endless line is stopped as a flood", async () => {
    const flood = prints({ text: "x".repeat(1024), times: 64 * 1024 });
    const { last } = await talk(flood, { limits: { outputBytes: 8 * 1024 * 1024 } });
    expect(last).toMatchObject({ type: "turn.failed", failure: { code: "agent_flooded" } });
  });

  it("with a result that is too long exits and has not finished", async () => {
    const { last } = await talk(
      prints({ text: '{"result":"' }, LONG, { text: `",${JSON.stringify(SUCCESS).slice(1)}\n` }),
    );
    expect(last).toMatchObject({ type: "turn.failed", failure: { code: "agent_incomplete" } });
  });

  it("with a request that is too long gets it refused", async () => {
    const request = wants("Write", { file_path: "a.txt" });
    const { last } = await talk({ kind: "asks", request, contentBytes: 3 * 1024 * 1024 });
    expect(last).toMatchObject({ type: "turn.finished", text: "No handler for this request." });
  });

  it("with a long line in between is read to its end", async () => {
    const image = [{ text: '{"type":"user","message":{"content":"' }, LONG, { text: '"}}\n' }];
    const { last } = await talk(prints(...image, line({ ...SUCCESS, result: "ok" })));
    expect(last).toMatchObject({ type: "turn.finished", text: "ok" });
  });
});
