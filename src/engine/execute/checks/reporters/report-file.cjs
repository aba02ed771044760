// Runs inside the user's own Node, 18 or newer. Where a test program writes what became of each test.
"use strict";
const { appendFileSync, writeFileSync } = require("node:fs");
const { join, delimiter } = require("node:path");

const folder = process.env.SIGNALBOX_REPORTS;
let opened = 0;

/** The first line says that a report was begun: one that is never finished shows that the tests broke off. */
exports.openReport = function openReport(runner) {
  if (!folder) return undefined;
  exports.forgetAsking();
  opened += 1;
  const file = join(folder, `${Date.now()}-${process.pid}-${opened}.jsonl`);
  const lines = [];
  const add = (line) => lines.push(JSON.stringify(line));
  writeFileSync(file, `${JSON.stringify({ report: 1, runner, cwd: process.cwd() })}\n`, { flag: "wx" });
  return {
    /** `path`: the groups around it, then its title. `end`: passed, failed or skipped. */
    test: (test) => add(test),
    uncollected: (path) => add({ file: path, end: "uncollected" }),
    /** Written at once: a test that has replaced the file system cannot lose half of it. */
    finish: () => appendFileSync(file, `${[...lines.splice(0), '{"finished":true}'].join("\n")}\n`),
  };
};

/** Tests and what they start are not asked: a test of a test program would be counted as one of ours. */
exports.forgetAsking = function forgetAsking() {
  const { env } = process;
  const own = env.SIGNALBOX_NODE_OPTIONS;
  without("NODE_OPTIONS", (value) => (own ? value.replace(own, "").trim() : value));
  without("PYTHONPATH", (value) => leaveOut(value, join(__dirname, "python")));
  if (folder) without("PATH", (value) => leaveOut(value, join(folder, "bin")));
  delete env.SIGNALBOX_NODE_OPTIONS;
  delete env.SIGNALBOX_REPORTS;
};

function without(name, change) {
  const value = process.env[name];
  if (value === undefined) return;
  const rest = change(value);
  if (rest === "") delete process.env[name];
  else process.env[name] = rest;
}

function leaveOut(paths, path) {
  return paths
    .split(delimiter)
    .filter((each) => each !== path)
    .join(delimiter);
}
