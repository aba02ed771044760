import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterEach, describe, expect, test } from "vitest";
import { writeContract } from "../../src/core/contract/write.ts";
import type { Json } from "../../src/core/text/json.ts";
import { createFolderMailbox } from "../../src/drivers/mailbox/folder-mailbox.ts";
import { repositoryWith } from "../ledger/repository.ts";
import { BIN } from "../support/program.ts";

const closing: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

type Dispatch = { id: string; role: string; task: string; cwd: string; prompt: string };
type Person = (message: string) => { choice: string } | undefined;

describe("signalbox mcp", () => {
  test("a real client runs every role of a ledger run, a person answers its questions, and the run ends in a commit", {
    timeout: 120_000,
  }, async () => {
    const shown: string[] = [];
    const { repository, call } = await connectClient((message) => {
      shown.push(message);
      return { choice: message.startsWith("Research") ? "proceed" : "approve" };
    });
    const { run } = await call("run_start", { pipeline: "ledger", request: "Greet people" });
    const played = await playToEnd(call, run);
    expect((await call("run_list", {})).runs[0]).toMatchObject({ status: "done", exit: 0 });
    expect(shown.length).toBeGreaterThan(0);
    expect(new Set(played)).toContain("implementer");
    expect(repository.git("show", `signalbox/${run}:src/greet.js`)).toBe("export const greet = 1;");
    const { approvals } = await call("run_status", { run });
    expect(JSON.stringify(approvals ?? [])).not.toContain("automatic");
    expect(JSON.stringify(await call("run_evidence", { run }))).toContain("exit");
  });

  test("a client that cannot show a question to a person cannot answer one", async () => {
    const { call, waiting } = await connectClient(undefined);
    const id = await waiting();
    const refused = await call("question_answer", { id });
    expect(refused).toMatchObject({ error: "AGENT_IN_CHARGE", hint: expect.stringContaining(`approve ${id}`) });
  });

  test("a dismissed question stays open", async () => {
    const { call, waiting } = await connectClient(() => undefined);
    const id = await waiting();
    expect(await call("question_answer", { id })).toMatchObject({ answered: false });
    expect((await call("question_list", {})).approvals).toMatchObject([{ approval: id, answered: false }]);
  });

  test("[A-32] an answer to an answered question is refused with who answered, before and after the question is shown", async () => {
    let id = "";
    const { call, waiting, approve } = await connectClient(() => {
      approve(id);
      return { choice: "abort" };
    });
    id = await waiting();
    const told = { error: "APPROVAL_STALE", message: expect.stringContaining("already answered: ") };
    expect(await call("question_answer", { id })).toMatchObject(told);
    expect(await call("question_answer", { id })).toMatchObject(told);
  });

  test("a dispatch of a canceled run is not handed out, and a late answer to it is refused with how the run ended", async () => {
    const { call, repository } = await connectClient(undefined);
    const { run } = await call("run_start", { pipeline: "ledger", request: "Greet people" });
    const taken: Dispatch = await call("dispatch_next", { run, wait_ms: 50_000 });
    const mailbox = createFolderMailbox({ dir: join(repository.repo, ".signalbox/mailbox"), now: Date.now });
    const [posted] = (await mailbox.list()).filter(({ id }) => id === taken.id);
    await call("run_cancel", { run });
    expect(await call("dispatch_complete", { id: taken.id, message: answerTo(taken) })).toMatchObject({
      error: "RUN_ENDED",
      message: expect.stringContaining("canceled by"),
    });
    // A dispatch as an earlier version would have left it.
    if (posted) await mailbox.post({ ...posted, cwd: repository.repo });
    expect(await call("dispatch_next", { wait_ms: 0 })).toBeNull();
    expect(await mailbox.list()).toEqual([]);
  });

  test("a server restarted after the dispatch was taken also reports what happens to the answer", async () => {
    const { call, repository } = await connectClient(undefined);
    const { run } = await call("run_start", { pipeline: "ledger", request: "Greet people" });
    const mailbox = createFolderMailbox({ dir: join(repository.repo, ".signalbox/mailbox"), now: Date.now });
    let [posted] = await mailbox.list();
    while (!posted) [posted] = await mailbox.list();
    const taken = await mailbox.take(posted.id, "client");
    expect(taken).toMatchObject({ run });
    expect(await call("dispatch_complete", { id: posted.id, message: answerTo(posted) })).toEqual({
      id: posted.id,
      accepted: true,
    });
  });

  test("an unreadable answer is returned at once with line and advice, and the same dispatch accepts the next one", async () => {
    const { call } = await connectClient(undefined);
    const { run } = await call("run_start", { pipeline: "ledger", request: "Greet people" });
    const taken: Dispatch = await call("dispatch_next", { run, wait_ms: 50_000 });
    const good = answerTo(taken);
    const complete = (message: string) => call("dispatch_complete", { id: taken.id, message });
    const broken = good.replace("completion:", "completion:\n  status: [DONE");
    expect(await complete(broken)).toMatchObject({
      accepted: false,
      open: true,
      problem: expect.stringMatching(/in line \d+ \(.*\): /),
      hint: expect.stringContaining("dispatch_complete again"),
    });
    expect(await complete("I am done.")).toMatchObject({ accepted: false, open: true });
    expect((await call("dispatch_next", { run, wait_ms: 0 })).prompt).toContain("> I am done.");
    expect(await complete(good)).toEqual({ id: taken.id, accepted: true });
    const next: Dispatch = await call("dispatch_next", { run, wait_ms: 50_000 });
    for (const open of [true, true, false]) {
      const refused = await call("dispatch_complete", { id: next.id, message: "done" });
      expect(refused).toMatchObject({ accepted: false, open });
    }
  });

  test("a client stops one agent and pauses a run, and its notes are recorded", async () => {
    const { call } = await connectClient(undefined);
    const { run: rests } = await call("run_start", { pipeline: "ledger", request: "Greet people" });
    await call("dispatch_next", { run: rests, wait_ms: 50_000 });
    const paused = await call("run_pause", { run: rests, note: "over night" });
    expect(paused).toMatchObject({ run: rests, reason: expect.stringContaining("over night") });
    expect(await call("run_pause", { run: rests })).toMatchObject({ error: "RUN_AT_REST" });
    const { run } = await call("run_start", { pipeline: "ledger", request: "Greet people" });
    const taken: Dispatch = await call("dispatch_next", { run, wait_ms: 50_000 });
    expect(await call("run_stop", { run, agent: "nobody" })).toMatchObject({ error: "USAGE" });
    const stopped = await call("run_stop", { run, agent: taken.role, note: "wrong way" });
    expect(stopped).toMatchObject({ run, failure: { message: expect.stringContaining("wrong way") } });
  });

  test("a refused call names the next step", async () => {
    const { call } = await connectClient(undefined);
    expect(await call("run_start", { pipeline: "ledgr", request: "x" })).toMatchObject({ error: "PIPELINE_UNKNOWN" });
    expect(await call("dispatch_complete", { id: "nothing", message: "x" })).toMatchObject({
      accepted: false,
      hint: expect.stringContaining("dispatch_next"),
    });
    expect(await call("run_why", { run: "zzz" })).toHaveProperty("hint");
  });
});

// biome-ignore lint/suspicious/noExplicitAny: each test knows what its tool answers
type CallTool = (name: string, args: Record<string, unknown>) => Promise<any>;

/** Takes dispatches and shows questions until the run ends. Returns the roles that ran. */
async function playToEnd(call: CallTool, run: string): Promise<readonly string[]> {
  const played: string[] = [];
  for (;;) {
    const dispatch: Dispatch | null = await call("dispatch_next", { run, wait_ms: 1_000 });
    if (dispatch) {
      played.push(dispatch.role);
      await call("dispatch_complete", { id: dispatch.id, message: answerTo(dispatch), usage: { usd: 0.01 } });
      continue;
    }
    for (const { approval, answered } of (await call("question_list", {})).approvals)
      if (!answered) await call("question_answer", { id: approval });
    const { status } = (await call("run_list", {})).runs[0];
    if (!["running", "waiting"].includes(status)) return played;
  }
}

/** Returns the answer of an agent that follows its role's prompt. */
function answerTo({ role, cwd, prompt }: Dispatch): string {
  const nonce = /nonce: (\S+)/.exec(prompt.slice(prompt.indexOf("# Your answer")))?.[1] ?? "";
  if (role === "implementer") {
    mkdirSync(dirname(join(cwd, "src/greet.js")), { recursive: true });
    writeFileSync(join(cwd, "src/greet.js"), "export const greet = 1;\n");
  }
  const said: Readonly<Record<string, Json>> = {
    planner: { status: "DONE", tasks: [{ id: "greet", files: ["src/greet.js"] }] },
    reviewer: { status: "DONE", verdicts: { security: "approve", architecture: "approve", correctness: "approve" } },
  };
  return writeContract({ dialect: "completion", value: said[role] ?? { status: "DONE" }, nonce });
}

async function connectClient(person: Person | undefined) {
  const repository = repositoryWith({ "README.md": "# Greeting\n", "src/old.js": "export const old = 1;\n" });
  closing.push(() => repository.remove());
  const config = "commands:\n  build: test -f README.md\n  test: test -d src\n";
  mkdirSync(join(repository.repo, ".signalbox"));
  writeFileSync(join(repository.repo, ".signalbox/config.yaml"), config);
  const client = new Client(
    { name: "an editor", version: "1" },
    { capabilities: person ? { elicitation: { form: {} } } : {} },
  );
  if (person) {
    client.setRequestHandler("elicitation/create", async (request) => {
      const content = person(request.params.message);
      return content ? { action: "accept", content } : { action: "decline" };
    });
  }
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: repository.dir,
    XDG_CACHE_HOME: join(repository.dir, "cache"),
    XDG_STATE_HOME: join(repository.dir, "state"),
    SIGNALBOX_TRUST: "1",
    SIGNALBOX_SANDBOX: "off",
  };
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [BIN, "-C", repository.repo, "mcp"], env }),
  );
  closing.push(() => client.close());
  // Tools answer with one JSON text.
  const call: CallTool = async (name, args) => {
    const { content } = await client.callTool({ name, arguments: args });
    const [first] = content as { text: string }[];
    return JSON.parse(first?.text ?? "null");
  };
  closing.push(async () => {
    for (const { run, status } of (await call("run_list", {})).runs ?? [])
      if (["running", "waiting"].includes(status)) await call("run_cancel", { run });
  });
  // Answers in a terminal, as a person beside the client would.
  const approve = (id: string) =>
    execFileSync(process.execPath, [BIN, "-C", repository.repo, "approve", id], { env, stdio: "ignore" });
  return { repository, call, approve, waiting: () => waitForQuestion(call) };
}

/** Returns the first question of a run, which follows its research. */
async function waitForQuestion(call: CallTool): Promise<string> {
  const { run } = await call("run_start", { pipeline: "ledger", request: "Greet people" });
  for (;;) {
    const dispatch: Dispatch | null = await call("dispatch_next", { run, wait_ms: 500 });
    if (dispatch) await call("dispatch_complete", { id: dispatch.id, message: answerTo(dispatch) });
    const { approvals } = await call("question_list", {});
    if (approvals[0]) return approvals[0].approval;
  }
}
