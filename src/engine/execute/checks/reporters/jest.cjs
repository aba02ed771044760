// Jest's own results, whatever reporters the user has chosen.
"use strict";
const { openReport } = require("./report-file.cjs");

const NO_RUN = ["showConfig", "listTests", "clearCache", "watch", "watchAll"];
const ENDS = { passed: "passed", failed: "failed" };

/** The names of a module that was compiled cannot be set: a copy has ours instead. */
exports.listening = function listening(core) {
  const { runCLI } = core;
  if (typeof runCLI !== "function") return core;
  const copy = Object.defineProperties({}, Object.getOwnPropertyDescriptors(core));
  const value = async (argv, projects) => {
    if (NO_RUN.some((name) => argv[name])) return runCLI(argv, projects);
    const report = openReport("jest");
    const done = await runCLI(argv, projects);
    if (report) write(report, done.results);
    return done;
  };
  return Object.create(copy, { runCLI: { value, enumerable: true }, __esModule: { value: true } });
};

function write(report, results) {
  for (const { testFilePath: file, testResults, testExecError } of results.testResults) {
    for (const { ancestorTitles, title, status } of testResults) {
      report.test({ file, path: [...ancestorTitles, title], end: ENDS[status] ?? "skipped" });
    }
    if (testExecError && testResults.length === 0) report.uncollected(file);
    else if (testExecError) report.test({ file, path: ["(outside tests)"], end: "failed" });
  }
  // Broken off by `bail` or by a person: what is missing was not tested.
  if (!results.wasInterrupted) report.finish();
}
