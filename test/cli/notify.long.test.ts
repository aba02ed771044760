import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, test } from "vitest";
import { collectTargets } from "../../src/cli/notify/targets.ts";
import { parseConfig } from "../../src/cli/project/config.ts";
import { createRedactor } from "../../src/cli/secrets/redactor.ts";
import type { JournalRecord } from "../../src/core/journal/record.ts";
import { getOwnerName, isOwnerDead } from "../../src/hosts/sqlite/owner.ts";
import { buildMessageBody } from "../../src/surfaces/webhooks/message.ts";
import { createNoticeReader } from "../../src/surfaces/webhooks/notice.ts";
import { openOutbox } from "../../src/surfaces/webhooks/outbox.ts";
import { ENVIRONMENT, formsOf, needles, PLANTED } from "../security/planted.ts";
import { BIN } from "../support/program.ts";
import { type Manners, type ReceiverServer, receiverServer } from "../support/receiver.ts";
import { lastEvent, makeScene, type Scene } from "./scene.ts";

const CONFIG = "notify: { webhooks: [{ url-env: TEAM_CHAT }] }\n";

async function withReceiver(
  use: (scene: Scene, server: ReceiverServer) => Promise<void>,
  manners?: Manners,
): Promise<void> {
  const server = await receiverServer(manners);
  try {
    const scene = makeScene({ env: { TEAM_CHAT: server.url } });
    scene.put(".signalbox/config.yaml", CONFIG);
    await use(scene, server);
  } finally {
    await server.close();
  }
}

const parseDocuments = ({ received }: ReceiverServer) => received.map(({ body }) => JSON.parse(body));
const listMessageIds = (server: ReceiverServer): readonly string[] => server.received.map(({ id }) => id);

test("a configured receiver gets one message per question and one for the end, with the commands to type", async () => {
  await withReceiver(async (scene, server) => {
    const asked = await scene.signalbox(
      "run",
      "small",
      "x",
      "--input",
      "finish=ask",
      "--agents",
      scene.agents,
      "--json",
    );
    const { run } = lastEvent(asked);
    await server.count(1);
    const [question] = parseDocuments(server);
    const approval = String(asked.events.find(({ type }) => type === "approval.requested")?.["approval"]);
    expect(question).toMatchObject({
      v: 1,
      event: "waiting",
      run,
      pipeline: "small",
      repository: "repo",
      needs: "a person's answer",
      title: "Keep it?",
      because: "asked in 2 Decide",
      next: [
        `signalbox inbox ${approval}`,
        `signalbox approve ${approval} --choose keep`,
        `signalbox approve ${approval} --choose revise --note "…"`,
        `signalbox approve ${approval} --choose abort`,
      ],
    });
    // The message does not include the content shown with the question.
    expect(JSON.stringify(question)).not.toContain("write a file");
    await scene.signalbox("approve", approval, "--resume");
    await server.count(2);
    expect(parseDocuments(server)[1]).toMatchObject({
      event: "finished",
      run,
      title: "finished: done",
      needs: "nobody",
    });
    expect(new Set(listMessageIds(server)).size).toBe(2);
  });
});

test("without a configuration nothing is sent and nothing is stored", async () => {
  const scene = makeScene();
  await scene.signalbox("run", "small", "x", "--agents", scene.agents);
  expect(readdirSync(join(scene.repo, ".signalbox"))).not.toContain("notices.db");
});

test("failures and suspensions are reported as such, only to receivers that subscribe to them", async () => {
  await withReceiver(async (scene, server) => {
    scene.put(".signalbox/config.yaml", "notify: { webhooks: [{ url-env: TEAM_CHAT, kind: slack, on: [failed] }] }\n");
    await scene.signalbox("run", "small", "x", "--agents", scene.agents);
    await scene.signalbox("run", "small", "x", "--input", "finish=blocked", "--agents", scene.agents);
    await server.count(1);
    const [message] = parseDocuments(server);
    expect(message.text).toBe("✗ repo: failed: blocked");
    expect(server.received).toHaveLength(1);
  });
});

test("a receiver that is down gets its messages when it is up again, and the run does not wait", async () => {
  await withReceiver(
    async (scene, server) => {
      const ended = await scene.signalbox("run", "small", "x", "--agents", scene.agents, "--json");
      expect(lastEvent(ended)).toMatchObject({ type: "run.finished", status: "done" });
      const received = await server.count(2);
      expect(new Set(received.map(({ id }) => id)).size).toBe(1);
      expect(new Set(received.map(({ body }) => body)).size).toBe(1);
    },
    (_received, nth) => (nth === 1 ? 503 : 200),
  );
});

test("a receiver that never answers delays neither the run nor its end", async () => {
  await withReceiver(
    async (scene, server) => {
      const ended = await scene.signalbox("run", "small", "x", "--agents", scene.agents, "--json");
      expect(lastEvent(ended)).toMatchObject({ type: "run.finished", status: "done" });
      await server.count(1);
    },
    () => "hang",
  );
});

test("a delivered test message exits with 0, whatever other prerequisites are missing", async () => {
  await withReceiver(async (scene, server) => {
    const bare = { env: { PATH: "/usr/bin:/bin" } };
    const [looked, sent] = [await scene.from(bare, "doctor"), await scene.from(bare, "doctor", "--notify")];
    expect([looked.exit, sent.exit]).toEqual([4, 0]);
    expect(sent.out).toMatch(/missing: agents/);
    expect(server.received).toHaveLength(1);
  });
});

test("starting or resuming a run without a webhook's variable warns at once that its messages are queued", async () => {
  await withReceiver(async (scene, server) => {
    const webhook = `{ url: "${server.url}", secret-env: HOOK_SECRET }`;
    scene.put(".signalbox/config.yaml", `notify: { webhooks: [{ url-env: TEAM_CHAT }, ${webhook}] }\n`);
    const line = "! webhook 2: HOOK_SECRET is not set here; its messages are queued\n";
    const started = await scene.signalbox("run", "small", "x", "--input", "finish=pause", "--agents", scene.agents);
    const resumed = await scene.signalbox("resume");
    for (const { out } of [started, resumed]) expect(out.split(line)).toHaveLength(2);
    const armed = { env: { HOOK_SECRET: "known-here" } };
    const other = await scene.from(armed, "run", "small", "x", "--agents", scene.agents);
    expect(other.out).not.toContain("its messages are queued");
  });
});

test("serving the dashboard without a webhook's variable warns too, because runs start from it", async () => {
  const scene = makeScene();
  scene.put(".signalbox/config.yaml", CONFIG);
  const args = [BIN, "-C", scene.repo, "ui", "--no-open", "--port", "0"];
  const server = spawn(process.execPath, args, { env: scene.env, stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(server, "exit");
  const heard: string[] = [];
  for await (const line of createInterface({ input: server.stdout })) {
    heard.push(line);
    if (line.includes("its messages are queued")) server.kill("SIGTERM");
  }
  await ended;
  expect(heard).toContain("! webhook 1: TEAM_CHAT is not set here; its messages are queued");
});

test("a redirect to another address is not followed", async () => {
  const elsewhere = await receiverServer();
  try {
    await withReceiver(
      async (scene, server) => {
        await scene.signalbox("run", "small", "x", "--agents", scene.agents);
        await server.count(1);
        const looked = await scene.signalbox("doctor", "--notify", "--json");
        const { told: results } = JSON.parse(looked.out);
        expect(results).toMatchObject([
          { what: "notify", state: "missing", says: expect.stringContaining("HTTP 307") },
        ]);
        expect(looked.exit).toBe(4);
        expect(elsewhere.received).toEqual([]);
      },
      () => ({ location: elsewhere.url }),
    );
  } finally {
    await elsewhere.close();
  }
});

test("an event that a killed engine recorded without sending is sent by the next command that opens the store", async () => {
  await withReceiver(async (scene, server) => {
    scene.put(".signalbox/config.yaml", "");
    const flags = ["--input", "finish=ask", "--agents", scene.agents, "--json"];
    const talk = scene.start("run", "small", "x", ...flags, "--detach");
    const { out } = await talk.ended;
    const { run, pid } = JSON.parse(out);
    const first = scene.start("events", run, "--follow", "--json");
    await first.heard("approval.requested");
    first.kill("SIGTERM");
    process.kill(pid, "SIGKILL");
    scene.put(".signalbox/config.yaml", CONFIG);
    // Questions from before the receivers were configured are not sent.
    const resumed = await scene.signalbox("resume", run, "--json");
    expect(lastEvent(resumed)).toMatchObject({ type: "run.suspended", status: "waiting" });
    expect(server.received).toEqual([]);
    const next = scene.start("run", "small", "x", ...flags, "--detach");
    const second = JSON.parse((await next.ended).out);
    const watch = scene.start("events", second.run, "--follow", "--json");
    await watch.heard("approval.requested");
    process.kill(second.pid, "SIGKILL");
    await scene.signalbox("ps");
    await server.count(1);
    expect(parseDocuments(server)).toMatchObject([{ event: "waiting", run: second.run }]);
    watch.kill("SIGTERM");
  });
});

test("an event recorded but not queued before its engine was killed is queued and sent once", async () => {
  await withReceiver(async (scene, server) => {
    scene.put(".signalbox/config.yaml", "");
    const ended = await scene.signalbox("run", "small", "x", "--agents", scene.agents, "--json");
    scene.put(".signalbox/config.yaml", CONFIG);
    const targets = collectTargets([{ from: "here", config: parseConfig(CONFIG, "here") }]);
    const owner = getOwnerName().replace(/:\d+:/, ":4194303:");
    const file = join(scene.repo, ".signalbox/notices.db");
    const outbox = openOutbox({ file, owner, now: () => 1, isDead: isOwnerDead });
    outbox.post([], targets);
    outbox.follow(String(lastEvent(ended)["run"]));
    outbox.close();
    await scene.signalbox("ps");
    await server.count(1);
    await scene.signalbox("status");
    await scene.signalbox("__notices");
    expect(parseDocuments(server)).toMatchObject([{ event: "finished", run: lastEvent(ended)["run"] }]);
  });
});

test("[A-19] a receiver from the repository gets nothing without trust, and the trust prompt shows only the host", async () => {
  await withReceiver(async (scene, server) => {
    scene.put(".signalbox/config.yaml", `notify: { webhooks: [{ url: "${server.url}" }] }\n`);
    const untrusting = { env: { SIGNALBOX_TRUST: "" } };
    const refused = await scene.from(untrusting, "run", "small", "x", "--agents", scene.agents);
    expect(refused.exit).toBe(4);
    expect(refused.err).toContain(`notify ${new URL(server.url).host} …`);
    const looked = await scene.from(untrusting, "doctor", "--notify");
    expect(looked.exit).toBe(4);
    expect(server.received).toEqual([]);
    await scene.from(untrusting, "run", "small", "x", "--agents", scene.agents, "--trust");
    await server.count(1);
    expect(parseDocuments(server)).toMatchObject([{ event: "finished" }]);
  });
});

test("the address is in no output, file or journal, whatever its variable is called", async () => {
  await withReceiver(async (scene, server) => {
    const secret = "address-that-nobody-may-know";
    const leaky = `agents: [{ role: writer, do: [{ write: { path: a.txt, content: b } }], output: { summary: "${server.url}" } }]\n`;
    const agents = scene.put("../leaky.yaml", leaky);
    const said = await Promise.all([
      scene.signalbox("run", "small", `tell ${server.url}`, "--agents", agents, "--json"),
      scene.signalbox("config", "get"),
      scene.signalbox("config", "explain", "--json"),
      scene.signalbox("doctor"),
      scene.signalbox("doctor", "--notify"),
    ]);
    await server.count(2);
    for (const { out, err } of said) expect(out + err).not.toContain(secret);
    const own = join(scene.repo, ".signalbox");
    const files = readdirSync(own, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const found = files
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((file) => readFileSync(file).includes(secret));
    expect(found).toEqual([]);
    for (const { body } of server.received) expect(body).not.toContain(secret);
  });
});

test("no message contains a planted secret in any form, wherever an agent wrote it", () => {
  const redact = createRedactor(ENVIRONMENT);
  const stamp = { v: 1, ts: 1, run: "r", chain: "c" } as const;
  const found: string[] = [];
  for (const form of PLANTED.flatMap(formsOf)) {
    for (const text of [form, `${form.slice(0, 5)}\u200b${form.slice(5)}`]) {
      const { take } = createNoticeReader({ repository: text, redact });
      const asked = {
        ...stamp,
        type: "approval.requested" as const,
        seq: 1,
        key: "k",
        approval: "a-1",
        title: text,
        show: text,
        choices: [text],
        auto: "never",
        hash: "h",
      } satisfies JournalRecord;
      const notice = take(asked);
      const bytes = Buffer.from(
        notice ? buildMessageBody("json", notice, "i") + buildMessageBody("slack", notice, "i") : "",
      );
      expect(bytes.length).toBeGreaterThan(0);
      found.push(...[...needles()].filter(([needle]) => bytes.includes(needle)).map(([, name]) => name));
    }
  }
  expect(found).toEqual([]);
});
