#!/usr/bin/env node
// Speaks the lines of `claude -p --output-format stream-json` 2.1.325 as they were recorded, without a model behind it.
// What it does is one JSON value in FAKE_CLAUDE, so that the driver under test starts it like the real one.
import { spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";

const print = (...events) => {
  for (const event of events) process.stdout.write(`${JSON.stringify(event)}\n`);
};
const fail = (message) => {
  process.stderr.write(`${message}\n`);
  process.exit(1);
};
const childElsewhere = () => spawn("sleep", ["300"], { detached: true, stdio: "ignore" }).unref();

const flags = process.argv.slice(2);
const argumentOf = (flag) => (flags.includes(flag) ? flags[flags.indexOf(flag) + 1] : undefined);
if (!flags.includes("-p") || argumentOf("--output-format") !== "stream-json")
  fail(`error: unknown option '${flags[0]}'`);
const home = process.env.CLAUDE_CONFIG_DIR ?? "";
if (!existsSync(home)) fail("CLAUDE_CONFIG_DIR does not exist");
const prompt = await text(process.stdin);
if (prompt === "") fail("Error: Input must be provided either through stdin or as a prompt argument");

// A conversation is a file in its home, as it is for the real one.
const session = argumentOf("--resume") ?? "c16ee364-92e1-40f5-8188-c2215659e4b8";
const memory = join(home, `${session}.json`);
if (flags.includes("--resume") && !existsSync(memory)) fail(`No conversation found with session ID: ${session}`);
const earlier = existsSync(memory) ? JSON.parse(readFileSync(memory, "utf8")) : [];
writeFileSync(memory, JSON.stringify([...earlier, prompt]));

const act = JSON.parse(process.env.FAKE_CLAUDE);
const common = { parent_tool_use_id: null, session_id: session };
const says = (...content) => print({ type: "assistant", message: { role: "assistant", content }, ...common });
if (act.kind !== "transcript") {
  print({ type: "system", subtype: "init", session_id: session, cwd: process.cwd(), permissionMode: "acceptEdits" });
}
if (act.kind === "leaves") process.exit(act.code);
if (act.kind === "dies by a signal") process.kill(process.pid, "SIGKILL");
if (act.kind === "transcript") {
  process.stdout.write(readFileSync(act.file, "utf8"));
  process.stderr.write(act.stderr ?? "");
  if (act.code === undefined) setInterval(() => {}, 60_000);
  else process.exit(act.code);
}
if (act.kind === "floods") {
  const line = `${JSON.stringify({ type: "stream_event", text: "x".repeat(1000) })}\n`;
  const flood = () => {
    while (process.stdout.write(line));
    process.stdout.once("drain", flood);
  };
  flood();
}
if (act.kind === "hangs") {
  process.on("SIGTERM", () => {});
  childElsewhere();
  setInterval(() => {}, 60_000);
}
if (act.kind.startsWith("answers")) {
  if (act.kind === "answers, leaving a child in a session of its own") childElsewhere();
  if (act.writes) {
    writeFileSync(act.writes.path, act.writes.content);
    says({ type: "tool_use", id: "toolu_1", name: "Write", input: { file_path: act.writes.path } });
  }
  const answer = act.kind === "answers with what it was asked" ? [...earlier, prompt].join(" / ") : act.text;
  says({ type: "text", text: answer });
  const usage = { input_tokens: 200, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 40 };
  const end = { is_error: false, result: answer, api_error_status: null, num_turns: 2, terminal_reason: "completed" };
  print({ type: "result", subtype: "success", session_id: session, ...end, total_cost_usd: 0.0016, usage });
}
