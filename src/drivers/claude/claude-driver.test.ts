import { mkdtempSync, readFileSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { DispatchOrder } from "../../core/ports/driver.ts";
import type { ProcessExit, Processes } from "../../core/ports/processes.ts";
import { createSupervisor } from "../../processes/supervisor.ts";
import { testWorld } from "../../processes/test-world.suite.ts";
import { collectEvents, createOrder, driverSuite } from "../driver.suite.ts";
import { type ClaudeOptions, createClaudeDriver } from "./claude-driver.ts";
import { createClaudeReader } from "./claude-reader.ts";
import type { ClaudeOrder } from "./conversation.ts";

const agents = join(import.meta.dirname, "../../../test/agents");
const bin = join(agents, "fake-claude.mjs");
const root = mkdtempSync(join(tmpdir(), "signalbox-claude-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const processes = createSupervisor({ world: testWorld, graceMs: 100 });

const fake = (act: unknown, options: ClaudeOptions = {}) =>
  createClaudeDriver({ bin, environment: { set: { FAKE_CLAUDE: JSON.stringify(act) } }, ...options });

driverSuite("claude", (behavior, limits) => fake(behavior, { limits }), { describe, it });

type Act = { readonly code?: number; readonly stderr?: string };

async function transcript(name: string, act: Act = {}, options: ClaudeOptions = {}) {
  const file = join(agents, "claude-transcripts", `${name}.jsonl`);
  const driver = fake({ kind: "transcript", file, ...act }, options);
  const events = await collectEvents(driver.dispatch(createOrder(root), processes, new AbortController().signal));
  return { events, last: events.at(-1) };
}

describe("a recorded claude", () => {
  it("reports its tools, its message, its usage and its cost", async () => {
    const { events } = await transcript("writes-a-file", { code: 0 });
    expect(events).toEqual([
      { type: "turn.started" },
      { type: "session.opened", session: "c16ee364-92e1-40f5-8188-c2215659e4b8" },
      { type: "tool.used", name: "Write", detail: "a.txt" },
      { type: "tool.used", name: "Bash", detail: "cat a.txt" },
      { type: "message.added", text: "All done." },
      {
        type: "turn.finished",
        text: "All done.",
        session: "c16ee364-92e1-40f5-8188-c2215659e4b8",
        usage: { inputTokens: 300, outputTokens: 60, usd: expect.closeTo(0.0024) },
      },
    ]);
  });

  it("returns its structured answer separately from its text", async () => {
    const { last } = await transcript("answers-by-schema", { code: 0 });
    expect(last).toMatchObject({ type: "turn.finished", answer: { ok: true } });
  });

  it("reports a refused tool and continues", async () => {
    const { events, last } = await transcript("is-refused-a-tool", { code: 0 });
    expect(events).toContainEqual(expect.objectContaining({ type: "tool.used", name: "Write (refused)" }));
    expect(last).toMatchObject({ type: "turn.finished", text: "I could not." });
  });

  it.each([
    ["status-400", "deterministic", "model_refused"],
    ["status-403", "deterministic", "auth"],
    ["status-404", "deterministic", "model_unavailable"],
    ["status-429", "transient", "rate_limit"],
    ["status-500", "transient", "overloaded"],
    ["status-529", "transient", "overloaded"],
    ["cut-mid-stream", "transient", "connection"],
    ["no-such-session", "deterministic", "session_missing"],
  ])("%s is a %s failure, %s", async (name, kind, code) => {
    const { last } = await transcript(name, { code: 1 });
    expect(last).toMatchObject({ type: "turn.failed", failure: { class: kind, code } });
  });

  it("with an exhausted window fails until the window ends", async () => {
    const { last } = await transcript("usage-window", { code: 1 });
    expect(last).toMatchObject({ type: "turn.failed", failure: { class: "deterministic", code: "quota" } });
    const wakeAt = last?.type === "turn.failed" ? (last.failure.wakeAt ?? 0) : 0;
    expect(new Date(wakeAt).getUTCHours()).toBe(15);
  });

  it("fails on an error although its subtype is success and its exit code 0", async () => {
    const { last } = await transcript("status-500", { code: 0 });
    expect(last).toMatchObject({ type: "turn.failed", failure: { code: "overloaded" } });
  });

  it("is given up as soon as its key is refused, however often it would retry", async () => {
    const { last } = await transcript("status-401");
    expect(last).toMatchObject({ type: "turn.failed", failure: { class: "deterministic", code: "auth" } });
  });

  it("reports its retries", async () => {
    const { events } = await transcript("status-429", { code: 1 });
    expect(events).toContainEqual({
      type: "turn.throttled",
      message: "API Error: 429 rate_limit (try 1 of 1)",
      waitMs: 604,
    });
  });

  it("that never exits after its result has still finished", async () => {
    const { last } = await transcript("writes-a-file", {}, { lingerMs: 100 });
    expect(last).toMatchObject({ type: "turn.finished", text: "All done." });
  });

  it("that exits with a nonzero code after its result has failed", async () => {
    const { last } = await transcript("writes-a-file", { code: 1 });
    expect(last).toMatchObject({ type: "turn.failed", failure: { code: "agent_crashed" } });
  });

  it.each([
    ["Invalid API key · Please run /login", "auth"],
    ["Not logged in · Please run /login", "auth"],
    ["Credit balance is too low", "quota"],
  ])("that prints %s, in a plain line or as its result, needs a person", async (line, code) => {
    const file = join(root, "plain.txt");
    const session_id = "c16ee364-92e1-40f5-8188-c2215659e4b8";
    const result = { type: "result", subtype: "success", is_error: true, session_id, result: line };
    for (const said of [line, JSON.stringify(result)]) {
      writeFileSync(file, `${said}\n`);
      const driver = fake({ kind: "transcript", file, code: 1 });
      const last = (
        await collectEvents(driver.dispatch(createOrder(root), processes, new AbortController().signal))
      ).at(-1);
      expect(last).toMatchObject({ type: "turn.failed", failure: { class: "deterministic", code } });
      expect(last?.type === "turn.failed" && last.failure.message).toBe(`claude: ${line}`);
    }
  });

  it("that does not know an argument is not retried", async () => {
    const file = join(root, "nothing.jsonl");
    writeFileSync(file, "");
    const driver = fake({ kind: "transcript", file, code: 1, stderr: "error: unknown option '--tools'" });
    const last = (await collectEvents(driver.dispatch(createOrder(root), processes, new AbortController().signal))).at(
      -1,
    );
    expect(last).toMatchObject({ type: "turn.failed", failure: { class: "deterministic", code: "agent_usage" } });
  });
});

describe("lines of claude", () => {
  const LEFT: ProcessExit = {
    ...{ code: 1, signal: null, stopped: null, ms: 1, stdoutBytes: 1 },
    ...{ stdoutTail: "", stderrTail: "" },
  };
  const read = (...lines: readonly unknown[]) => {
    const reader = createClaudeReader("claude");
    const events = lines.flatMap((line) => reader.line?.(JSON.stringify(line)) ?? []);
    return { events, end: reader.end(LEFT) };
  };

  it("take the end of an exhausted window from its own event", () => {
    // Hours ahead of the reader's clock: a window that ends soon is a rate limit, not a quota.
    const resetsAt = Math.floor(Date.now() / 1_000) + 3 * 3_600;
    const { end } = read(
      { type: "rate_limit_event", rate_limit_info: { status: "rejected", resetsAt, rateLimitType: "five_hour" } },
      { type: "result", subtype: "success", is_error: true, session_id: "s", result: "Limit.", api_error_status: 429 },
    );
    expect(end).toMatchObject({ failure: { code: "quota", wakeAt: resetsAt * 1_000 } });
  });

  it.each([
    ["error_max_turns", "turn_limit"],
    ["error_max_budget_usd", "agent_budget"],
  ])("with %s are a limit", (subtype, code) => {
    const { end } = read({ type: "result", subtype, is_error: true, session_id: "s", errors: [] });
    expect(end).toMatchObject({ type: "turn.failed", failure: { class: "limit", code } });
  });

  it("of its subagents are not messages", () => {
    const content = [{ type: "text", text: "for my boss" }];
    const { events } = read({ type: "assistant", message: { content }, parent_tool_use_id: "toolu_1" });
    expect(events).toEqual([]);
  });
});

describe("the order for claude", () => {
  const orderOf = async (options: ClaudeOptions, more: Partial<DispatchOrder> = {}) => {
    const started: Parameters<Processes["start"]>[0][] = [];
    const watched: Processes = {
      ...processes,
      start: (order) => {
        started.push(order);
        return processes.start(order);
      },
    };
    const order = createOrder(root, more);
    await collectEvents(
      fake({ kind: "answers", text: "ok" }, options).dispatch(order, watched, new AbortController().signal),
    );
    const told: ClaudeOrder = JSON.parse(started[0]?.stdin ?? "");
    return { order, started: started[0], told, args: told.args };
  };
  const argumentOf = (args: readonly string[], flag: string) => args[args.indexOf(flag) + 1];

  it("keeps the prompt and every key out of the arguments", async () => {
    const environment = { from: { ANTHROPIC_API_KEY: "sk-secret", OTHER: "x" } };
    const { started, told, args } = await orderOf({ environment }, { prompt: "Do the work." });
    expect(told.prompt).toBe("Do the work.");
    expect([...(started?.args ?? []), ...args].join(" ")).not.toMatch(/sk-secret|Do the work/);
    expect(started?.stdin).not.toContain("sk-secret");
    expect(started?.env).toMatchObject({ ANTHROPIC_API_KEY: "sk-secret" });
    expect(started?.env).not.toHaveProperty("OTHER");
  });

  it("disables what a repository brings, and never the permissions", async () => {
    const { args, order, started } = await orderOf({});
    expect(argumentOf(args, "--setting-sources")).toBe("");
    expect(args).toEqual(expect.arrayContaining(["--strict-mcp-config", "--disable-slash-commands"]));
    expect(argumentOf(args, "--permission-mode")).toBe("default");
    expect(argumentOf(args, "--permission-prompt-tool")).toBe("stdio");
    expect(args.join(" ")).not.toMatch(/dangerously|bypass/);
    expect(started?.env["CLAUDE_CONFIG_DIR"]).toBe(join(order.home, "claude"));
  });

  it("allows commands by default", async () => {
    expect(argumentOf((await orderOf({})).args, "--allowedTools")).toBe("Bash");
    expect((await orderOf({ allow: [] })).args).not.toContain("--allowedTools");
  });

  it("uses the model, the schema and the conversation of the dispatch", async () => {
    const { args } = await orderOf({ model: "sonnet" }, { model: "opus", schema: { type: "object" }, session: "s-1" });
    expect(argumentOf(args, "--model")).toBe("opus");
    expect(argumentOf(args, "--json-schema")).toBe('{"type":"object"}');
    expect(argumentOf(args, "--resume")).toBe("s-1");
    expect(argumentOf((await orderOf({ model: "sonnet" })).args, "--model")).toBe("sonnet");
  });

  it("links the user's login into the home of the attempt", async () => {
    const login = join(root, "credentials.json");
    writeFileSync(login, "{}");
    const { order } = await orderOf({ login });
    expect(readlinkSync(join(order.home, "claude", ".credentials.json"))).toBe(login);
    expect(readFileSync(login, "utf8")).toBe("{}");
  });
});
