import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { z } from "zod";
import type { AgentEvent, DispatchOrder } from "../../core/ports/driver.ts";
import type { Processes, ProcessOrder } from "../../core/ports/processes.ts";
import { createSupervisor } from "../../processes/supervisor.ts";
import { listCarriers } from "../../processes/tag/process-tag.ts";
import { testWorld } from "../../processes/test-world.suite.ts";
import { collectEvents, createOrder, driverSuite } from "../driver.suite.ts";
import { DRIVERS } from "../index.ts";
import { type AcpOptions, createAcpDriver } from "./acp-driver.ts";
import { isAcpProgram } from "./acp-program.ts";
import { AcpProfile, defineProfile } from "./profile.ts";

const command = join(import.meta.dirname, "../../../test/agents/fake-acp.mjs");
const root = mkdtempSync(join(tmpdir(), "signalbox-acp-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const processes = createSupervisor({ world: testWorld, graceMs: 100 });

type Profile = Partial<z.input<typeof AcpProfile>>;

const fake = (act: unknown, profile: Profile = {}, options: Partial<AcpOptions> = {}) =>
  createAcpDriver({
    name: "fake",
    profile: defineProfile({ command, resume: "load", ...profile }),
    environment: { set: { FAKE_ACP: JSON.stringify(act) } },
    ...options,
  });

driverSuite("acp", (behavior, limits) => fake(behavior, {}, { limits }), { describe, it });

async function play(act: unknown, profile: Profile = {}, more: Partial<DispatchOrder> = {}) {
  const order = createOrder(root, more);
  const events = await collectEvents(fake(act, profile).dispatch(order, processes, new AbortController().signal));
  return { order, events, last: events.at(-1) };
}

const says = (text: string, more: object = {}) => ({
  sessionUpdate: "agent_message_chunk",
  content: { type: "text", text },
  ...more,
});

describe("an ACP agent", () => {
  it("reports its tools, messages and usage; the last message is the answer", async () => {
    const updates = [
      says("I will "),
      says("look."),
      { sessionUpdate: "tool_call", toolCallId: "t-1", title: "Read a.txt", kind: "read" },
      { sessionUpdate: "usage_update", used: 10, size: 100, cost: { amount: 0.25, currency: "USD" } },
      says("All ", { messageId: "m-2" }),
      says("done.", { messageId: "m-2" }),
    ];
    const { events } = await play({ kind: "says", updates });
    expect(events).toEqual([
      { type: "turn.started" },
      { type: "session.opened", session: "s-1" },
      { type: "message.added", text: "I will look." },
      { type: "tool.used", name: "read", detail: "Read a.txt" },
      { type: "message.added", text: "All done." },
      {
        type: "turn.finished",
        text: "All done.",
        usage: { inputTokens: 200, outputTokens: 40, usd: 0.25 },
        session: "s-1",
      },
    ]);
  });

  it("may print lines that are no messages, and cannot impersonate its client", async () => {
    const { last } = await play({ kind: "says", noise: true, updates: [says("ok")] });
    expect(last).toMatchObject({ type: "turn.finished", text: "ok" });
  });

  it("that resumes a conversation does not report earlier messages again", async () => {
    const driver = fake({ kind: "answers with what it was asked" });
    const order = createOrder(root, { prompt: "One." });
    const signal = new AbortController().signal;
    await collectEvents(driver.dispatch(order, processes, signal));
    const again = { ...order, prompt: "Two.", session: "s-1", spool: join(order.spool, "2") };
    const events = await collectEvents(driver.dispatch(again, processes, signal));
    expect(events.filter(({ type }) => type === "message.added")).toEqual([
      { type: "message.added", text: "One. / Two." },
    ]);
  });

  it("that does not know the conversation fails permanently", async () => {
    const { last } = await play({ kind: "answers", text: "ok" }, {}, { session: "s-9" });
    expect(last).toMatchObject({ type: "turn.failed", failure: { class: "deterministic", code: "session_missing" } });
  });

  it("fails permanently if its program is missing", async () => {
    const { last } = await play({ kind: "answers", text: "ok" }, { command: "no-such-agent" });
    expect(last).toMatchObject({ type: "turn.failed", failure: { class: "deterministic", code: "agent_missing" } });
  });

  it("is asked to cancel before it is signaled", async () => {
    const patient = createSupervisor({ world: testWorld, graceMs: 5_000 });
    const order = createOrder(root);
    const canceled = new AbortController();
    const events: AgentEvent[] = [];
    for await (const event of fake({ kind: "waits to be canceled" }).dispatch(order, patient, canceled.signal)) {
      events.push(event);
      if (event.type === "turn.started") {
        await until(() => readFileSync(join(order.spool, "stdout"), "utf8").includes('{"client":"prompting"}'));
        canceled.abort();
      }
    }
    expect(events.at(-1)).toMatchObject({ type: "turn.failed", failure: { class: "canceled" } });
    expect(readFileSync(join(order.spool, "stdout"), "utf8")).toContain('"stopReason":"cancelled"');
    expect(listCarriers(order.effect)).toEqual([]);
  });
});

describe("an ACP failure", () => {
  it.each([
    [{ code: -32000, message: "Authentication required" }, "deterministic", "auth"],
    [
      { code: 401, message: '{"error":{"code":401,"message":"no","status":"UNAUTHENTICATED"}}' },
      "deterministic",
      "auth",
    ],
    [{ code: 429, message: "slow down" }, "transient", "rate_limit"],
    [{ code: 500, message: "terminated" }, "transient", "connection"],
    [{ code: -32603, message: "Internal error", data: { details: "[API Error: 401 no]" } }, "deterministic", "auth"],
    [{ code: -32603, message: "Internal error", data: { errorKind: "rate_limit" } }, "transient", "rate_limit"],
    [{ code: -32603, message: "Internal error" }, "transient", "turn_failed"],
  ])("%j is %s, %s", async (error, kind, code) => {
    const { last } = await play({ kind: "fails", error });
    expect(last).toMatchObject({ type: "turn.failed", failure: { class: kind, code } });
  });

  it.each([
    ["copilot", "Error: No authentication information found.", "auth"],
    ["gemini", "Please set an Auth method in your settings.json", "auth"],
    ["goose", "No provider configured. Run 'goose configure' first", "auth"],
    ["kimi", "LLM not set", "auth"],
    ["opencode", "ProviderInitError: ProviderInitError", "auth"],
    ["qwen", "Incorrect API key provided.", "auth"],
    ["qwen", "Access denied, please make sure your account is in good standing.", "quota"],
  ])("of %s in a plain line instead of the protocol is recognized: %s", async (_agent, line, code) => {
    for (const stream of ["stdout", "stderr"]) {
      const { last } = await play({ kind: "prints and leaves", line, stream });
      expect(last).toMatchObject({ type: "turn.failed", failure: { class: "deterministic", code } });
    }
  });

  const ended = { stopReason: "end_turn" };
  const disguises: readonly (readonly [string, Profile, readonly string[], object, string])[] = [
    ["without usage", { "fails-without-usage": true }, ["Rate limit exceeded: no."], ended, "rate_limit"],
    ["without usage or output", { "fails-without-usage": true }, [], ended, "turn_failed"],
    [
      "with the program's own text",
      { "failure-texts": ["^Oops: "] },
      ["Oops: Server error (500)"],
      ended,
      "overloaded",
    ],
    [
      "with an error of the system",
      {},
      ["stream disconnected"],
      { ...ended, _meta: { codex: { threadStatus: { type: "systemError" } } } },
      "connection",
    ],
  ];
  it.each(disguises)("in a turn that ends normally is recognized: %s", async (_how, profile, words, response, code) => {
    const { last } = await play({ kind: "says", updates: words.map((word) => says(word)), response }, profile);
    expect(last).toMatchObject({ type: "turn.failed", failure: { code } });
  });

  it.each([
    ["refusal", "deterministic", "model_refused"],
    ["max_tokens", "deterministic", "model_refused"],
    ["max_turn_requests", "limit", "turn_limit"],
    ["cancelled", "transient", "agent_incomplete"],
  ])("is a turn that stopped by %s", async (stopReason, kind, code) => {
    const { last } = await play({ kind: "says", updates: [says("half")], response: { stopReason } });
    expect(last).toMatchObject({ type: "turn.failed", failure: { class: kind, code, last: "half" } });
  });
});

describe("a request of an agent", () => {
  const options = ["allow_always", "allow_once", "reject_once"].map((kind) => ({ optionId: kind, name: kind, kind }));
  const permission = (toolCall: object) => ({
    method: "session/request_permission",
    params: { toolCall: { toolCallId: "t-1", ...toolCall }, options },
  });
  const answers = async (questions: readonly object[], prepare: (cwd: string) => void = () => undefined) => {
    const order = createOrder(root);
    prepare(order.cwd);
    const driver = fake({ kind: "asks", questions });
    const events = await collectEvents(driver.dispatch(order, processes, new AbortController().signal));
    const last = events.at(-1);
    // The fake's answer is the response that it got.
    const given = JSON.parse(last?.type === "turn.finished" ? last.text : "[]") as readonly unknown[];
    return { order, events, given };
  };
  const chosen = (optionId: string) => ({ outcome: { outcome: "selected", optionId } });

  it("is allowed once, for commands and for files of its folder", async () => {
    const { given, events } = await answers([
      permission({ title: "Run", rawInput: { command: "npm test" } }),
      permission({ title: "Write", rawInput: { path: "src/new.js" } }),
      permission({ title: "Edit", locations: [{ path: "a/../b.js" }] }),
    ]);
    expect(given).toEqual([chosen("allow_once"), chosen("allow_once"), chosen("allow_once")]);
    // One tool, requested three times.
    expect(events.filter(({ type }) => type === "tool.used")).toHaveLength(1);
  });

  it("is refused for files elsewhere, however they are named, and that is reported", async () => {
    const elsewhere = join(root, "elsewhere.txt");
    const { given, events } = await answers(
      [
        permission({ title: "Write", rawInput: { file_path: elsewhere } }),
        permission({ title: "Write", rawInput: { path: "../../elsewhere.txt" } }),
        permission({ title: "Write", locations: [{ path: "link/elsewhere.txt" }] }),
        permission({ title: "Edit", content: [{ type: "diff", path: elsewhere, oldText: "", newText: "x" }] }),
      ],
      (cwd) => symlinkSync(root, join(cwd, "link")),
    );
    expect(given).toEqual(Array.from({ length: 4 }, () => chosen("reject_once")));
    expect(events.filter((event) => event.type === "tool.used" && event.name === "Write (refused)")).toHaveLength(3);
  });

  it("reads and writes files of its folder", async () => {
    const file = (method: string, params: object) => ({ method: `fs/${method}`, params });
    const { order, given } = await answers(
      [
        file("read_text_file", { path: "a.txt" }),
        file("read_text_file", { path: "a.txt", line: 2, limit: 1 }),
        file("write_text_file", { path: "deep/b.txt", content: "made" }),
        file("read_text_file", { path: "none.txt" }),
      ],
      (cwd) => writeFileSync(join(cwd, "a.txt"), "one\ntwo\nthree\n"),
    );
    expect(given).toEqual([
      { content: "one\ntwo\nthree\n" },
      { content: "two" },
      {},
      expect.objectContaining({ code: -32002 }),
    ]);
    expect(readFileSync(join(order.cwd, "deep/b.txt"), "utf8")).toBe("made");
  });

  it("reads and writes nothing elsewhere, not even through links", async () => {
    const secret = join(root, "secret.txt");
    writeFileSync(secret, "secret");
    const file = (method: string, params: object) => ({ method: `fs/${method}`, params });
    const { given } = await answers(
      [
        file("read_text_file", { path: secret }),
        file("read_text_file", { path: "link.txt" }),
        file("write_text_file", { path: "dangling.txt", content: "x" }),
        file("write_text_file", { path: "../up.txt", content: "x" }),
      ],
      (cwd) => {
        symlinkSync(secret, join(cwd, "link.txt"));
        symlinkSync(join(root, "made.txt"), join(cwd, "dangling.txt"));
      },
    );
    expect(given).toEqual(Array.from({ length: 4 }, () => expect.objectContaining({ code: -32602 })));
    expect(existsSync(join(root, "made.txt"))).toBe(false);
  });
});

describe("a profile", () => {
  it("defines the program's arguments, variables, files, mode and model", async () => {
    const profile: Profile = {
      env: { PLACE: "{home}/x" },
      "model-env": { MODEL: "{model}" },
      "model-option": "model",
      mode: "careful",
      files: { ".fake/settings.json": "{}" },
    };
    const order = createOrder(root, { model: "big" });
    const driver = fake({ kind: "answers", text: "ok" }, profile);
    const started: ProcessOrder[] = [];
    const watched: Processes = {
      ...processes,
      start: (each) => {
        started.push(each);
        return processes.start(each);
      },
    };
    await collectEvents(driver.dispatch(order, watched, new AbortController().signal));
    expect(started[0]?.env).toMatchObject({ PLACE: `${order.home}/x`, MODEL: "big" });
    expect(readFileSync(join(order.home, ".fake/settings.json"), "utf8")).toBe("{}");
    expect(readFileSync(join(order.cwd, "mode.txt"), "utf8")).toBe("careful");
    expect(readFileSync(join(order.cwd, "option.txt"), "utf8")).toBe("model=big");
  });

  it("lists logins, which are linked if they exist", async () => {
    const userHome = join(root, "user");
    mkdirSync(join(userHome, ".fake"), { recursive: true });
    writeFileSync(join(userHome, ".fake/login.json"), "{}");
    const order = createOrder(root);
    const driver = fake(
      { kind: "answers", text: "ok" },
      { login: [".fake/login.json", ".fake/other.json"] },
      { userHome },
    );
    await collectEvents(driver.dispatch(order, processes, new AbortController().signal));
    expect(readlinkSync(join(order.home, ".fake/login.json"))).toBe(join(userHome, ".fake/login.json"));
    expect(existsSync(join(order.home, ".fake/other.json"))).toBe(false);
  });

  it.each(["/etc/passwd", "../out", "a/../../out"])("cannot have a file at %s", (path) => {
    expect(AcpProfile.safeParse({ command, files: { [path]: "" } }).success).toBe(false);
  });

  it.each(DRIVERS.filter(isAcpProgram))("of $name never disables permissions", ({ profile }) => {
    expect([...profile.args, ...Object.values(profile.env)].join(" ")).not.toMatch(/yolo|allow-all|dangerously|bypass/);
  });
});

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await testWorld.sleep(5);
}
