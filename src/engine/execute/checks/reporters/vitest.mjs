// A reporter beside the user's own. Vitest 1 and 2 hand over files, later ones modules that hold them.
import { openReport } from "./report-file.cjs";

const NOT_RUN = new Set(["skip", "todo", "queued"]);

export default class SignalboxReporter {
  onInit() {
    this.report = openReport("vitest");
  }

  onFinished(files = []) {
    this.#write(files);
  }

  onTestRunEnd(modules, _errors, reason) {
    this.#write(
      modules.map((module) => module.task),
      reason,
    );
  }

  #write(files, reason) {
    for (const file of files) if (this.report) writeFile(this.report, file);
    // Broken off by a person or by `bail`: what is missing was not tested.
    if (reason !== "interrupted") this.report?.finish();
    this.report = undefined;
  }
}

function writeFile(report, file) {
  if (file.tasks.length === 0) {
    if (file.result?.state === "fail") report.uncollected(file.filepath);
    return;
  }
  writeTasks({ report, file: file.filepath, group: file, path: [] });
}

/** A group that failed while none of its tests did has failed in its own hooks. */
function writeTasks({ report, file, group, path }) {
  let failed = false;
  for (const task of group.tasks) {
    const names = [...path, task.name];
    if (task.type === "suite") {
      failed = writeTasks({ report, file, group: task, path: names }) || failed;
      continue;
    }
    const end = endOf(task);
    failed ||= end === "failed";
    report.test({ file, path: names, end });
  }
  if (group.result?.state !== "fail" || failed) return failed;
  report.test({ file, path: [...path, "(outside tests)"], end: "failed" });
  return true;
}

function endOf({ mode, fails, result }) {
  // One that is known to fail, and does, shows nothing of what it asks for.
  if (result?.state === "pass") return fails ? "skipped" : "passed";
  if (result?.state === "fail") return "failed";
  return NOT_RUN.has(result?.state ?? mode) ? "skipped" : result === undefined ? "skipped" : "failed";
}
