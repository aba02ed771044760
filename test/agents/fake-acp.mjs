#!/usr/bin/env node
// An agent that speaks the Agent Client Protocol as the real ones were seen to, without a model behind it.
// What it does is one JSON value in FAKE_ACP, so that the client starts it like the real ones.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";

const act = JSON.parse(process.env.FAKE_ACP);
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const childElsewhere = () => spawn("sleep", ["300"], { detached: true, stdio: "ignore" }).unref();

if (act.kind === "prints and leaves") {
  process[act.stream].write(`${act.line}\n`);
  process.exit(1);
}

let asked = 0;
const waiting = new Map();
const ask = (method, params) =>
  new Promise((answered) => {
    asked += 1;
    waiting.set(`agent-${asked}`, answered);
    send({ id: `agent-${asked}`, method, params });
  });

const home = join(process.env.HOME, "fake-acp");
mkdirSync(home, { recursive: true });
const memoryOf = (session) => join(home, `${session}.json`);
const pastOf = (session) => JSON.parse(readFileSync(memoryOf(session), "utf8"));
const update = (sessionId, fields) => send({ method: "session/update", params: { sessionId, update: fields } });
const says = (sessionId, text, more = {}) =>
  update(sessionId, { sessionUpdate: "agent_message_chunk", content: { type: "text", text }, ...more });

const METHODS = {
  initialize: () => ({ protocolVersion: 1, agentCapabilities: { loadSession: true }, authMethods: [] }),
  authenticate: () => ({}),
  "session/new": () => {
    writeFileSync(memoryOf("s-1"), "[]");
    return { sessionId: "s-1", modes: { currentModeId: "ask", availableModes: [] } };
  },
  "session/load": ({ sessionId }) => {
    if (!existsSync(memoryOf(sessionId)))
      throw { code: -32002, message: "Resource not found", data: "Session not found" };
    // The past is told again, as the protocol demands.
    for (const text of pastOf(sessionId)) says(sessionId, text);
    return {};
  },
  "session/set_mode": ({ modeId }) => writeFileSync("mode.txt", modeId) ?? {},
  "session/set_config_option": ({ configId, value }) =>
    writeFileSync("option.txt", `${configId}=${value}`) ?? { configOptions: [] },
  "session/prompt": ({ sessionId, prompt }) => play(sessionId, prompt.map(({ text }) => text).join("\n")),
};

const END = { stopReason: "end_turn", usage: { totalTokens: 240, inputTokens: 200, outputTokens: 40 } };
const never = () => new Promise(() => {});

const ACTS = {
  leaves: () => process.exit(act.code),
  "dies by a signal": () => process.kill(process.pid, "SIGKILL"),
  hangs() {
    process.on("SIGTERM", () => {});
    childElsewhere();
    setInterval(() => {}, 60_000);
    return never();
  },
  "waits to be canceled": () => new Promise((canceled) => waiting.set("cancel", canceled)),
  floods(session) {
    const thought = { type: "text", text: "x".repeat(1000) };
    const flood = () => {
      do update(session, { sessionUpdate: "agent_thought_chunk", content: thought });
      while (!process.stdout.writableNeedDrain);
      process.stdout.once("drain", flood);
    };
    flood();
    return never();
  },
  fails() {
    throw act.error;
  },
  async asks(session) {
    const answers = [];
    for (const { method, params } of act.questions) answers.push(await ask(method, { sessionId: session, ...params }));
    says(session, JSON.stringify(answers));
    return END;
  },
  says(session) {
    if (act.noise) process.stdout.write('Welcome to the agent!\n{"client":"failed","message":"forged"}\n');
    for (const fields of act.updates) update(session, fields);
    return act.response ?? END;
  },
  /** Like a real one that reads the whole prompt. */
  "does its job": (session) => {
    writeFileSync(act.writes.path, act.writes.content);
    const [, nonce] = /"nonce":\s*"([^"]+)"/.exec(pastOf(session).at(-1)) ?? [];
    says(session, `Done.\n\n${JSON.stringify({ nonce, contract: act.contract })}`);
    return END;
  },
  "answers, leaving a child in a session of its own": (session) => {
    childElsewhere();
    return ACTS.answers(session);
  },
  "answers with what it was asked": (session) => {
    says(session, pastOf(session).join(" / "));
    return END;
  },
  answers(session) {
    if (act.writes) {
      const { path, content } = act.writes;
      writeFileSync(path, content);
      update(session, { sessionUpdate: "tool_call", toolCallId: "t-1", title: `Write ${path}`, kind: "edit" });
    }
    const middle = Math.floor(act.text.length / 2);
    for (const piece of [act.text.slice(0, middle), act.text.slice(middle)]) says(session, piece);
    return END;
  },
};

function play(session, prompt) {
  writeFileSync(memoryOf(session), JSON.stringify([...pastOf(session), prompt]));
  return ACTS[act.kind](session);
}

createInterface({ input: process.stdin }).on("line", async (line) => {
  const { id, method, params, result, error } = JSON.parse(line);
  if (method === "session/cancel") waiting.get("cancel")?.({ stopReason: "cancelled" });
  if (method === undefined) return waiting.get(id)?.(error ?? result);
  if (id === undefined) return undefined;
  try {
    send({ id, result: await METHODS[method](params) });
  } catch (refusal) {
    send({ id, error: { code: refusal.code ?? -32603, message: refusal.message, data: refusal.data } });
  }
});
