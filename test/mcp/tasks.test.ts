import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { makeScene, type Scene } from "../cli/scene.ts";
import { BIN } from "../support/program.ts";

const TASKS = "io.modelcontextprotocol/tasks";
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

type ClientAbilities = { readonly tasks?: boolean; readonly person?: boolean; readonly old?: boolean };

/** Connects a real client. Its package does not know results of type `task`, so the messages are also read directly. */
async function connectClient(scene: Scene, { tasks = true, person = true, old = false }: ClientAbilities = {}) {
  const capabilities = {
    ...(person ? { elicitation: { form: {} } } : {}),
    ...(tasks ? { extensions: { [TASKS]: {} } } : {}),
  };
  const client = new Client(
    { name: "an editor", version: "1" },
    { capabilities, versionNegotiation: { mode: old ? "legacy" : "auto" } },
  );
  // A transport accepts no variable without a value.
  const env = JSON.parse(JSON.stringify({ ...scene.env, SIGNALBOX_SANDBOX: "off" }));
  const transport = new StdioClientTransport({ command: process.execPath, args: [BIN, "-C", scene.repo, "mcp"], env });
  await client.connect(transport);
  closing.push(() => client.close());
  const raw: Record<string, unknown>[] = [];
  const taken = transport.onmessage;
  transport.onmessage = (message, ...more) => {
    if ("result" in message) raw.push(message.result);
    taken?.(message, ...more);
  };
  const ask = (method: string, params: Record<string, unknown>) =>
    client.request({ method, params }, z.looseObject({ status: z.string().optional() }));
  const start = async (input: Record<string, string> = {}, agents = "configured") => {
    const order = { pipeline: "small", request: "x", input, agents };
    await client.callTool({ name: "run_start", arguments: order }).catch((error: unknown) => {
      if (!String(error).includes("Unsupported result type 'task'")) throw error;
    });
    return raw.at(-1) ?? {};
  };
  return { client, ask, start };
}

type Ask = Awaited<ReturnType<typeof connectClient>>["ask"];

/** Polls as a client does, until the status changes. */
async function pollTask(ask: Ask, taskId: unknown, during = "working") {
  for (;;) {
    const task = await ask("tasks/get", { taskId });
    if (task.status !== during) return task;
  }
}

/** Creates a scene with its own agent, so that the client need not run the role. */
function createScene(): Scene {
  const scene = makeScene();
  const agent = scene.put("../agent.mjs", AGENT);
  const argv = JSON.stringify([process.execPath, agent]);
  scene.put(".signalbox/config.local.yaml", `agents: { "*": { driver: command, argv: ${argv} } }\n`);
  return scene;
}

const AGENT = `import { readFileSync, writeFileSync } from "node:fs";
const [, nonce] = [...readFileSync(0, "utf8").matchAll(/"nonce": "([^"]+)"/g)].at(-1);
writeFileSync("a.txt", "written");
console.log(JSON.stringify({ nonce, contract: { summary: "s" } }));
`;

describe("a run started over MCP", () => {
  test("is a task for a client that supports tasks: polled, asked, answered by its person, completed, also by another server", async () => {
    const scene = createScene();
    const first = await connectClient(scene);
    const task = await first.start({ finish: "ask" });
    expect(task).toMatchObject({ resultType: "task", status: "working", ttlMs: null, taskId: expect.any(String) });
    const asking = await pollTask(first.ask, task["taskId"]);
    expect(asking, JSON.stringify(asking)).toMatchObject({ status: "input_required", taskId: task["taskId"] });
    const requests = asking["inputRequests"] as Record<string, { params: { message: string } }>;
    const [question = ""] = Object.keys(requests);
    expect(requests[question]).toMatchObject({
      method: "elicitation/create",
      params: {
        mode: "form",
        message: expect.stringContaining("Keep it?"),
        requestedSchema: { type: "object", properties: { choice: { enum: ["keep", "revise", "abort"] } } },
      },
    });
    // A client finds the same task after a restart.
    await first.client.close();
    const { ask } = await connectClient(scene);
    const declined = { taskId: task["taskId"], inputResponses: { [question]: { action: "decline" } } };
    await ask("tasks/update", declined);
    expect((await ask("tasks/get", { taskId: task["taskId"] })).status).toBe("input_required");
    const accepted = { [question]: { action: "accept", content: { choice: "keep" } }, other: { action: "accept" } };
    await ask("tasks/update", { taskId: task["taskId"], inputResponses: accepted });
    const working = await pollTask(ask, task["taskId"], "input_required");
    const ended = working.status === "working" ? await pollTask(ask, task["taskId"]) : working;
    expect(ended).toMatchObject({ status: "completed", result: { isError: false } });
    const result = ended["result"] as { content: { text: string }[] };
    expect(JSON.parse(result.content[0]?.text ?? "")).toMatchObject({ status: "done", run: task["taskId"] });
    const { out } = await scene.signalbox("events", "--json");
    expect(out).toContain(' through an editor"');
  });

  test("is not a task for the agent that runs its roles, a client without tasks, or an older client", async () => {
    const scene = createScene();
    const starts = [
      { abilities: {}, agents: "mailbox" },
      { abilities: { tasks: false }, agents: "configured" },
      { abilities: { old: true }, agents: "configured" },
    ];
    for (const { abilities, agents } of starts) {
      const { start, client } = await connectClient(scene, abilities);
      const started = await start({}, agents);
      expect(started).not.toMatchObject({ resultType: "task" });
      const [text] = started["content"] as { text: string }[];
      const { run } = JSON.parse(text?.text ?? "{}");
      expect(run).toEqual(expect.any(String));
      await client.callTool({ name: "run_cancel", arguments: { run } });
      await client.close();
    }
  });

  test("accepts no answer through a client that cannot show a question to a person", async () => {
    const scene = createScene();
    const { ask, start } = await connectClient(scene, { person: false });
    const task = await start({ finish: "ask" });
    const talk = scene.start("events", String(task["taskId"]), "--follow", "--json");
    const asked = await talk.heard("approval.requested");
    const inputResponses = { [String(asked["approval"])]: { action: "accept", content: { choice: "keep" } } };
    await ask("tasks/update", { taskId: task["taskId"], inputResponses });
    const { status, statusMessage } = await ask("tasks/get", { taskId: task["taskId"] });
    expect([status, statusMessage]).toEqual(["working", expect.stringContaining("Keep it?")]);
    await ask("tasks/cancel", { taskId: task["taskId"] });
    expect((await pollTask(ask, task["taskId"])).status).toBe("cancelled");
    // Canceling again changes nothing.
    await ask("tasks/cancel", { taskId: task["taskId"] });
    await expect(ask("tasks/get", { taskId: "nobody" })).rejects.toThrow(
      'No run in this repository has the id "nobody"',
    );
  });
});
