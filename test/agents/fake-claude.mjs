#!/usr/bin/env node
// Speaks `claude -p --input-format stream-json --output-format stream-json` 2.1.325 as it was recorded, without a model
// behind it. What it does is one JSON value in FAKE_CLAUDE, so that the driver under test starts it like the real one.
import { spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";

const print = (...events) => {
  for (const event of events) process.stdout.write(`${JSON.stringify(event)}\n`);
};
const fail = (message) => {
  process.stderr.write(`${message}\n`);
  process.exit(1);
};
const childElsewhere = () => spawn("sleep", ["300"], { detached: true, stdio: "ignore" }).unref();
const stay = () => setInterval(() => {}, 60_000);

const flags = process.argv.slice(2);
const argumentOf = (flag) => (flags.includes(flag) ? flags[flags.indexOf(flag) + 1] : undefined);
const both = ["--input-format", "--output-format"].every((flag) => argumentOf(flag) === "stream-json");
if (!flags.includes("-p") || !both || argumentOf("--permission-prompt-tool") !== "stdio")
  fail(`error: unknown option '${flags[0]}'`);
const home = process.env.CLAUDE_CONFIG_DIR ?? "";
if (!existsSync(home)) fail("CLAUDE_CONFIG_DIR does not exist");

// Whoever is at the other end sends one message per line, and leaves by closing the line.
const act = JSON.parse(process.env.FAKE_CLAUDE);
const input = createInterface({ input: process.stdin });
const closed = new Promise((close) => input.once("close", close));
const waiting = new Map();
let heard = () => {};
const message = new Promise((resolve) => {
  heard = resolve;
});
input.on("line", (line) => {
  const said = JSON.parse(line);
  if (said.type === "user") heard(said.message.content.map(({ text }) => text).join(""));
  if (said.type === "control_response") waiting.get(said.response.request_id)?.(said.response);
  if (said.type === "control_request" && act.kind === "waits to be interrupted") interrupted(said.request_id);
});
const prompt = await Promise.race([message, closed]);
if (!prompt) fail("Error: Input must be provided either through stdin or as a prompt argument");

// A conversation is a file in its home, as it is for the real one.
const session = argumentOf("--resume") ?? "c16ee364-92e1-40f5-8188-c2215659e4b8";
const memory = join(home, `${session}.json`);
if (flags.includes("--resume") && !existsSync(memory)) fail(`No conversation found with session ID: ${session}`);
const earlier = existsSync(memory) ? JSON.parse(readFileSync(memory, "utf8")) : [];
writeFileSync(memory, JSON.stringify([...earlier, prompt]));

const common = { parent_tool_use_id: null, session_id: session };
const says = (...content) => print({ type: "assistant", message: { role: "assistant", content }, ...common });
const usage = { input_tokens: 200, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 40 };
// As for the real one, its type is not the first thing that a result says.
const result = (more) => print({ session_id: session, total_cost_usd: 0.0016, usage, ...more, type: "result" });
const answers = async (text) => {
  says({ type: "text", text });
  const end = { is_error: false, result: text, api_error_status: null, num_turns: 2, terminal_reason: "completed" };
  result({ subtype: "success", ...end });
  await closed;
  process.exit(0);
};
const asked = (request) =>
  new Promise((answer) => {
    waiting.set("ask-1", answer);
    print({ type: "control_request", request_id: "ask-1", request });
  });
async function interrupted(id) {
  print({ type: "control_response", response: { subtype: "success", request_id: id, response: { still_queued: [] } } });
  const errors = ["[ede_diagnostic] result_type=user"];
  result({ subtype: "error_during_execution", is_error: true, terminal_reason: "aborted_streaming", errors });
  await closed;
  process.exit(1);
}

if (act.kind !== "transcript") {
  print({ type: "system", subtype: "init", session_id: session, cwd: process.cwd(), permissionMode: "default" });
}
if (act.kind === "leaves") process.exit(act.code);
if (act.kind === "dies by a signal") process.kill(process.pid, "SIGKILL");
if (act.kind === "transcript") {
  const lines = readFileSync(act.file, "utf8");
  process.stdout.write(lines);
  process.stderr.write(act.stderr ?? "");
  stay();
  // The real one stays until nobody can ask it anything more.
  if (act.code !== undefined && lines.includes('"result"')) await closed;
  if (act.code !== undefined) process.exit(act.code);
}
if (act.kind === "floods") {
  const line = `${JSON.stringify({ type: "stream_event", text: "x".repeat(1000) })}\n`;
  const flood = () => {
    while (process.stdout.write(line));
    process.stdout.once("drain", flood);
  };
  flood();
}
if (act.kind === "prints") {
  for (const piece of act.pieces) process.stdout.write(piece.text.repeat(piece.times ?? 1));
  await closed;
  process.exit(act.code ?? 0);
}
if (act.kind === "leaves words") process.stdout.write(act.text, () => process.exit(0));
if (act.kind === "hangs") {
  process.on("SIGTERM", () => {});
  childElsewhere();
  stay();
}
if (act.kind === "waits to be interrupted") {
  process.on("SIGTERM", () => writeFileSync("terminated", ""));
  says({ type: "tool_use", id: "toolu_1", name: "Bash", input: { command: "sleep 300" } });
  stay();
}
if (act.kind === "asks") {
  if (act.contentBytes !== undefined) act.request.input.content = "x".repeat(act.contentBytes);
  const { subtype, response, error } = await asked(act.request);
  await answers(subtype === "error" ? error : JSON.stringify(response));
}
if (act.kind.startsWith("answers")) {
  if (act.kind === "answers, leaving a child in a session of its own") childElsewhere();
  if (act.writes) {
    writeFileSync(act.writes.path, act.writes.content);
    says({ type: "tool_use", id: "toolu_1", name: "Write", input: { file_path: act.writes.path } });
  }
  await answers(act.kind === "answers with what it was asked" ? [...earlier, prompt].join(" / ") : act.text);
}
