import { mkdtempSync, readFileSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { DispatchOrder } from "../../core/ports/driver.ts";
import type { Processes } from "../../core/ports/processes.ts";
import { createSupervisor } from "../../processes/supervisor.ts";
import { testWorld } from "../../processes/test-world.suite.ts";
import { collectEvents, createOrder, driverSuite } from "../driver.suite.ts";
import { type CodexOptions, createCodexDriver } from "./codex-driver.ts";

const agents = join(import.meta.dirname, "../../../test/agents");
const bin = join(agents, "fake-codex.mjs");
const root = mkdtempSync(join(tmpdir(), "signalbox-codex-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const processes = createSupervisor({ world: testWorld, graceMs: 100 });

/** The token counts of every conversation of the fake. */
const SESSION = "01a1e136-474f-77d2-84fb-5737328188b2";

const fake = (act: unknown, options: CodexOptions = {}) =>
  createCodexDriver({ bin, environment: { set: { FAKE_CODEX: JSON.stringify(act) } }, ...options });

driverSuite("codex", (behavior, limits) => fake(behavior, { limits }), { describe, it });

async function transcript(name: string, act: { readonly code?: number; readonly stderr?: string } = {}) {
  const file = join(agents, "codex-transcripts", `${name}.jsonl`);
  const driver = fake({ kind: "transcript", file, ...act });
  const events = await collectEvents(driver.dispatch(createOrder(root), processes, new AbortController().signal));
  return { events, last: events.at(-1) };
}

describe("a recorded codex", () => {
  it("reports its tools, its message and its usage", async () => {
    const { events } = await transcript("writes-a-file", { code: 0 });
    expect(events).toEqual([
      { type: "turn.started" },
      { type: "session.opened", session: SESSION },
      { type: "tool.used", name: "file_change", detail: "/work-dir/a.txt" },
      { type: "tool.used", name: "shell", detail: "/bin/bash -lc 'cat a.txt'" },
      { type: "message.added", text: "All done." },
      { type: "turn.finished", text: "All done.", usage: { inputTokens: 300, outputTokens: 60 }, session: SESSION },
    ]);
  });

  it("succeeds despite an item of type error, which is a warning", async () => {
    expect((await transcript("warns-and-completes", { code: 0 })).last).toMatchObject({ type: "turn.finished" });
  });

  it("fails although it reported completion if it exits with a nonzero code", async () => {
    const { last } = await transcript("writes-a-file", { code: 1 });
    expect(last).toMatchObject({ type: "turn.failed", failure: { code: "agent_crashed", last: "All done." } });
  });

  it("fails if it exits with 0 without reporting completion", async () => {
    const { last } = await transcript("says-nothing", { code: 0 });
    expect(last).toMatchObject({ type: "turn.failed", failure: { class: "transient", code: "agent_incomplete" } });
  });

  it.each([
    ["status-400", "deterministic", "model_refused"],
    ["status-401", "deterministic", "auth"],
    ["status-403", "deterministic", "auth"],
    ["status-404", "deterministic", "model_refused"],
    ["status-429", "transient", "rate_limit"],
    ["status-500", "transient", "overloaded"],
    ["status-503", "transient", "overloaded"],
    ["cut-mid-stream", "transient", "connection"],
    ["missing-key", "deterministic", "auth"],
  ])("%s is a %s failure, %s", async (name, kind, code) => {
    const { last } = await transcript(name, { code: 1 });
    expect(last).toMatchObject({ type: "turn.failed", failure: { class: kind, code } });
  });

  it("reports that it tries to reconnect", async () => {
    const { events } = await transcript("status-500", { code: 1 });
    expect(events.filter(({ type }) => type === "turn.throttled")).toHaveLength(1);
  });

  it("is given up if it waits for a network endlessly", async () => {
    const { events, last } = await transcript("no-network");
    expect(events.filter(({ type }) => type === "turn.throttled")).toHaveLength(4);
    expect(last).toMatchObject({ type: "turn.failed", failure: { class: "transient", code: "connection" } });
  });

  it("that reports a missing login on standard error needs a person", async () => {
    const { last } = await transcript("says-nothing", { code: 1, stderr: "Not logged in. Please run codex login." });
    expect(last).toMatchObject({ type: "turn.failed", failure: { class: "deterministic", code: "auth" } });
  });

  it("that refuses its configuration is not retried", async () => {
    const { last } = await transcript("says-nothing", { code: 1, stderr: "Error: Model provider `nope` not found" });
    expect(last).toMatchObject({ type: "turn.failed", failure: { class: "deterministic", code: "agent_usage" } });
  });
});

describe("the order for codex", () => {
  const orderOf = async (options: CodexOptions, more: Partial<DispatchOrder> = {}) => {
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
    return { order, started: started[0] };
  };

  it("keeps the prompt and every key out of the arguments", async () => {
    const environment = { from: { CODEX_API_KEY: "sk-secret", OTHER: "x" }, set: { FAKE_CODEX: `{"kind":"hangs"}` } };
    const { started } = await orderOf({ environment, limits: { wallMs: 300 } }, { prompt: "Do the work." });
    expect(started?.stdin).toBe("Do the work.");
    expect(started?.args.join(" ")).not.toMatch(/sk-secret|Do the work/);
    expect(started?.env).toMatchObject({ CODEX_API_KEY: "sk-secret" });
    expect(started?.env).not.toHaveProperty("OTHER");
  });

  it("is sandboxed by default", async () => {
    expect((await orderOf({})).started?.args).toEqual(expect.arrayContaining(["--sandbox", "workspace-write"]));
    const bypass = "--dangerously-bypass-approvals-and-sandbox";
    expect((await orderOf({})).started?.args).not.toContain(bypass);
    expect((await orderOf({ sandbox: "none" })).started?.args).toContain(bypass);
  });

  it("names another server if the environment does, and never puts its key into the arguments", async () => {
    const set = { FAKE_CODEX: '{"kind":"answers","text":"ok"}' };
    const from = { CODEX_BASE_URL: "http://127.0.0.1:9/v1", CODEX_API_KEY: "sk-secret" };
    const { started } = await orderOf({ environment: { from, set } });
    const provider = started?.args.find((word) => word.startsWith("model_providers."));
    expect(provider).toContain('base_url="http://127.0.0.1:9/v1"');
    expect(provider).toContain('env_key="CODEX_API_KEY"');
    expect(started?.args.join(" ")).not.toContain("sk-secret");
    expect((await orderOf({ environment: { from: {}, set } })).started?.args.join(" ")).not.toContain("model_provider");
  });

  it("prefers the dispatch's model to its own", async () => {
    const { started } = await orderOf({ model: "gpt-5.5" }, { model: "gpt-6.1" });
    expect(started?.args).toEqual(expect.arrayContaining(["--model", "gpt-6.1"]));
    expect((await orderOf({ model: "gpt-5.5" })).started?.args).toEqual(expect.arrayContaining(["--model", "gpt-5.5"]));
  });

  it("links the user's login into the home of the attempt", async () => {
    const login = join(root, "auth.json");
    writeFileSync(login, "{}");
    const { order } = await orderOf({ login });
    expect(readlinkSync(join(order.home, "codex", "auth.json"))).toBe(login);
    expect(readFileSync(login, "utf8")).toBe("{}");
  });
});

describe("a conversation with codex", () => {
  const turn = async (order: DispatchOrder) =>
    (
      await collectEvents(
        fake({ kind: "answers", text: "ok" }).dispatch(order, processes, new AbortController().signal),
      )
    ).at(-1);

  it("reports the tokens of each turn, although codex adds them up", async () => {
    const first = createOrder(root);
    const usage = { inputTokens: 300, outputTokens: 60 };
    expect(await turn(first)).toMatchObject({ type: "turn.finished", usage });
    const second = { ...first, session: SESSION, spool: join(first.spool, "second") };
    expect(await turn(second)).toMatchObject({ type: "turn.finished", usage });
    expect(await fake({}).adopt(second, processes)).toMatchObject({ type: "turn.finished", usage });
    expect(readFileSync(join(second.spool, "stdout"), "utf8")).toContain('"input_tokens":600');
  });

  it("that no longer exists is reported as missing, and not retried", async () => {
    const failure = { class: "deterministic", code: "session_missing" };
    expect(await turn(createOrder(root, { session: SESSION }))).toMatchObject({ type: "turn.failed", failure });
  });
});
