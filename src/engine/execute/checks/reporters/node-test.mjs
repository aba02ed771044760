// A reporter of Node's own test runner. Shows nothing, or what Node would have shown where nobody chose a reporter.
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { Readable } from "node:stream";
import { spec, tap } from "node:test/reporters";
import { openReport } from "./report-file.cjs";

// Begun when it is loaded, which is before the first test: what a test breaks off is then seen as broken off.
const report = openReport("node:test");

export default async function* show(source) {
  const events = listened(source);
  if (process.execArgv.some((arg) => arg.startsWith("--test-reporter"))) {
    for await (const _event of events);
    return;
  }
  const [major] = process.versions.node.split(".");
  if (process.stdout.isTTY || Number(major) >= 23) yield* Readable.from(events).pipe(new spec());
  else yield* tap(events);
}

async function* listened(source) {
  const state = { around: [], files: new Map() };
  for await (const event of source) {
    if (report) note(state, event);
    yield event;
  }
  report?.finish();
}

function note(state, { type, data }) {
  if (type === "test:start") state.around[data.nesting] = data.name;
  if (type !== "test:pass" && type !== "test:fail") return;
  const file = data.file ?? programFile();
  const end = endOf(type, data);
  if (isFile(data)) return noteFile(state, { path: resolve(data.name), end });
  state.files.set(file, true);
  const failure = data.details?.error?.failureType;
  if (data.details?.type === "suite" && (end !== "failed" || failure === "subtestsFailed")) return;
  const groups = state.around.slice(0, data.nesting).filter((name) => !isPath(name));
  report.test({ file, path: [...groups, data.name], end });
}

/** An older Node knows no file of a test that `node --test` did not start; a newer one calls a text of the line so. */
function programFile() {
  return process.argv[1] === undefined ? "[eval]" : resolve(process.argv[1]);
}

function endOf(type, { skip, todo }) {
  const set = (value) => value !== undefined && value !== false;
  if (set(skip) || set(todo)) return "skipped";
  return type === "test:pass" ? "passed" : "failed";
}

/** A whole file, as `node --test` reports one: it could not be loaded, or has no test that Node knows of. */
function isFile({ name, nesting }) {
  return nesting === 0 && isPath(name);
}

function isPath(name) {
  return /\.[cm]?[jt]sx?$/.test(name) && existsSync(resolve(name));
}

function noteFile({ files }, { path, end }) {
  if (end === "failed" && !files.has(path)) report.uncollected(path);
  else if (end === "failed") report.test({ file: path, path: ["(outside tests)"], end });
  else if (!files.has(path)) report.test({ file: path, path: [], end });
}
