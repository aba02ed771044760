#!/usr/bin/env node
// The made-up program of examples/own-driver.ts. What it does is one JSON value, its first argument.
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { text } from "node:stream/consumers";

const act = JSON.parse(process.argv[2]);
const prompt = await text(process.stdin);
const print = (event) => process.stdout.write(`${JSON.stringify(event)}\n`);
const childElsewhere = () => spawn("sleep", ["300"], { detached: true, stdio: "ignore" }).unref();

process.stdout.write("Polly is awake.\n");
if (act.kind === "leaves") process.exit(act.code);
if (act.kind === "dies by a signal") process.kill(process.pid, "SIGKILL");
if (act.kind === "refuses") print({ type: "error", message: act.message, status: act.status });
if (act.kind === "says nothing more") process.exit(0);
if (act.kind === "hangs") {
  process.on("SIGTERM", () => {});
  childElsewhere();
  setInterval(() => {}, 60_000);
}
if (act.kind === "floods") {
  const flood = () => {
    while (process.stdout.write(`${"squawk ".repeat(200)}\n`));
    process.stdout.once("drain", flood);
  };
  flood();
}
if (act.kind.startsWith("answers")) {
  if (act.kind === "answers, leaving a child in a session of its own") childElsewhere();
  if (act.writes) {
    writeFileSync(act.writes.path, act.writes.content);
    print({ type: "tool", name: "write" });
  }
  print({ type: "done", text: act.text ?? prompt, tokens: [200, 40] });
}
