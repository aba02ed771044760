// Stands before `go test`: asks it for its events, writes what became of each test, and shows what Go would have shown.
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { constants } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { forgetAsking, openReport } from "./report-file.cjs";

const [go = "go", , ...args] = process.argv.slice(2);
const has = (...flags) => args.some((arg) => flags.some((flag) => arg === flag || arg.startsWith(`${flag}=`)));
const runsNothing = has("-c", "-list", "-n", "-h", "-help");
const report = runsNothing ? undefined : openReport("go");
forgetAsking();
const asked = report && !has("-json");
const child = spawn(go, ["test", ...(asked ? ["-json"] : []), ...args], {
  stdio: ["inherit", report ? "pipe" : "inherit", "inherit"],
});
const state = {
  tests: new Map(),
  printed: new Map(),
  failing: new Set(),
  packages: new Set(),
  module: moduleOf(process.cwd()),
};
const lines = child.stdout && createInterface({ input: child.stdout, crlfDelay: Number.POSITIVE_INFINITY });
lines?.on("line", (line) => {
  const event = eventOf(line);
  if (!asked || !event) process.stdout.write(`${line}\n`);
  if (event) note(event);
  else noteLine(line);
});
child.on("error", () => process.exit(127));
child.on("close", (code, signal) => {
  if (report) writeTests();
  process.exitCode = signal ? 128 + constants.signals[signal] : (code ?? 1);
});

function eventOf(line) {
  if (!line.startsWith("{")) return undefined;
  try {
    const event = JSON.parse(line);
    return typeof event.Action === "string" ? event : undefined;
  } catch {
    return undefined;
  }
}

const ENDS = new Map([
  ["pass", "passed"],
  ["skip", "skipped"],
]);

/** A result without a start was printed by a test. A test that began and never ended has failed, and a failure stays one. */
function note({ Action, Package = "", Test, Output, FailedBuild }) {
  const key = JSON.stringify([Package, Test]);
  const known = state.tests.get(key);
  if (Test !== undefined && Action === "run") state.tests.set(key, known ?? Action);
  if (Test !== undefined && known && known !== "fail" && (Action === "fail" || ENDS.has(Action))) {
    state.tests.set(key, Action);
  }
  if (Action === "fail" && Test !== undefined) state.failing.add(Package);
  if (Action === "fail" && Test === undefined) failPackage(Package, FailedBuild !== undefined);
  if (asked) show({ key, Action, Test, Output });
}

/** Before Go 1.24 what could not be built is no event. */
function noteLine(line) {
  const [, name] = /^FAIL\t(\S+) \[(?:build|setup) failed\]$/.exec(line) ?? [];
  if (name && !state.packages.has(name)) failPackage(name, true);
}

function failPackage(name, unbuilt) {
  state.packages.add(name);
  if (unbuilt) report.uncollected(folderOf(name));
  else if (!state.failing.has(name)) report.test({ file: folderOf(name), path: ["(outside tests)"], end: "failed" });
}

/** Prints what `go test` prints without events: all output of failures, and one line per package for the rest. */
function show({ key, Action, Test, Output }) {
  if (Output !== undefined && has("-v")) process.stdout.write(Output);
  else if (Output !== undefined) printedBy(key).push(Output);
  if (!["pass", "fail", "skip"].includes(Action)) return;
  const printed = printedBy(key);
  state.printed.delete(key);
  const shown = Action === "fail" ? printed : Test === undefined ? printed.filter(isLineOfPackage) : [];
  process.stdout.write(shown.join(""));
}

function printedBy(key) {
  const printed = state.printed.get(key) ?? [];
  state.printed.set(key, printed);
  return printed;
}

function isLineOfPackage(line) {
  return line.startsWith("ok  \t") || line.startsWith("?   \t");
}

function writeTests() {
  for (const [key, action] of state.tests) {
    const [name, test] = JSON.parse(key);
    report.test({ file: folderOf(name), path: test.split("/"), end: ENDS.get(action) ?? "failed" });
  }
  report.finish();
}

/** A package by its folder: its name would not say where it is. */
function folderOf(name) {
  const { dir, path } = state.module;
  if (dir === undefined || !(name === path || name.startsWith(`${path}/`))) return name;
  return join(dir, name.slice(path.length));
}

function moduleOf(dir) {
  const file = join(dir, "go.mod");
  if (existsSync(file)) return { dir, path: /^module\s+"?([^\s"]+)/m.exec(readFileSync(file, "utf8"))?.[1] };
  return dirname(dir) === dir ? {} : moduleOf(dirname(dir));
}
