#!/usr/bin/env node
// Speaks the event lines of `codex exec --json` 0.166.0 as they were recorded, without a model behind it.
// What it does is one JSON value in FAKE_CODEX, so that the driver under test starts it like the real one.
import { spawn } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";

const print = (...events) => {
  for (const event of events) process.stdout.write(`${JSON.stringify(event)}\n`);
};
const completed = (item) => print({ type: "item.completed", item });
const childElsewhere = () => spawn("sleep", ["300"], { detached: true, stdio: "ignore" }).unref();

const [command, ...flags] = process.argv.slice(2);
if (command !== "exec" || !flags.includes("--json") || flags.at(-1) !== "-") {
  process.stderr.write(`error: unexpected argument '${command}' found\n`);
  process.exit(2);
}
if (!existsSync(process.env.CODEX_HOME ?? "")) {
  process.stderr.write("Error: CODEX_HOME does not exist\n");
  process.exit(1);
}
const prompt = await text(process.stdin);
if (prompt === "") {
  process.stderr.write("No prompt provided via stdin.\n");
  process.exit(1);
}

// A conversation is a file in its home, as it is for the real one, with what was asked and what it has cost so far.
const resumes = flags.at(-3) === "resume";
const thread = resumes ? flags.at(-2) : "01a1e136-474f-77d2-84fb-5737328188b2";
const sessions = join(process.env.CODEX_HOME, "sessions", "2026", "11", "16");
const memory = join(sessions, `rollout-2026-11-16T04-05-47-${thread}.jsonl`);
if (resumes && !existsSync(memory)) {
  process.stderr.write(`Error: thread/resume failed: no rollout found for thread id ${thread} (code -32600)\n`);
  process.exit(1);
}
mkdirSync(sessions, { recursive: true });
const remember = (payload) => appendFileSync(memory, `${JSON.stringify({ type: "event_msg", payload })}\n`);
remember({ type: "user_message", message: prompt });
const past = readFileSync(memory, "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line).payload);
const spend = (input, output) => {
  const before = past.findLast(({ type }) => type === "token_count")?.info.total_token_usage;
  const [input_tokens, output_tokens] = [(before?.input_tokens ?? 0) + input, (before?.output_tokens ?? 0) + output];
  const total_token_usage = { input_tokens, cached_input_tokens: 0, output_tokens, reasoning_output_tokens: 0 };
  remember({ type: "token_count", info: { total_token_usage } });
  return total_token_usage;
};

const acts = JSON.parse(process.env.FAKE_CODEX);
const act = resumes && acts.resumed ? acts.resumed : acts;
print({ type: "thread.started", thread_id: thread }, { type: "turn.started" });

if (act.kind === "leaves") process.exit(act.code);
if (act.kind === "dies by a signal") process.kill(process.pid, "SIGKILL");
if (act.kind === "transcript") {
  process.stdout.write(readFileSync(act.file, "utf8"));
  process.stderr.write(act.stderr ?? "");
  if (act.code === undefined) setInterval(() => {}, 60_000);
  else process.exit(act.code);
}
if (act.kind === "floods") {
  const line = `${JSON.stringify({ type: "item.updated", item: { type: "reasoning", text: "x".repeat(1000) } })}\n`;
  const flood = () => {
    while (process.stdout.write(line));
    process.stdout.once("drain", flood);
  };
  flood();
}
const write = ({ path, content }) => {
  writeFileSync(path, content);
  const changes = [{ path: `${process.cwd()}/${path}`, kind: "add" }];
  completed({ id: "item_0", type: "file_change", changes, status: "completed" });
};
if (act.kind === "hangs") {
  if (act.writes) write(act.writes);
  process.on("SIGTERM", () => {});
  childElsewhere();
  setInterval(() => {}, 60_000);
}
const contract = () => {
  const [, nonce] = /"nonce":\s*"([^"]+)"/.exec(prompt) ?? [];
  return act.contract && JSON.stringify({ nonce, contract: act.contract });
};
if (act.kind.startsWith("answers")) {
  if (act.kind === "answers, leaving a child in a session of its own") childElsewhere();
  if (act.writes) write(act.writes);
  const asked = past.flatMap(({ type, message }) => (type === "user_message" ? [message] : []));
  completed({
    id: "item_1",
    type: "agent_message",
    text: act.text ?? contract() ?? asked.join(" / "),
  });
  print({ type: "turn.completed", usage: spend(300, 60) });
}
