// Mocha's own events, whatever reporter the user has chosen.
"use strict";
const { openReport } = require("./report-file.cjs");

exports.listen = function listen(Mocha) {
  const { run, loadFiles, loadFilesAsync } = Mocha.prototype;
  let report;
  const begin = (mocha) => {
    report ??= openReport("mocha");
    const state = { file: undefined };
    mocha.suite.on("pre-require", (_global, file) => {
      state.file = file;
    });
    return state;
  };
  /** What cannot be loaded ends Mocha: nothing at all was collected. */
  const broken = ({ file }) => {
    report?.uncollected(file ?? "mocha");
    report?.finish();
    report = undefined;
  };
  Mocha.prototype.loadFiles = function load(...args) {
    const state = begin(this);
    try {
      return loadFiles.apply(this, args);
    } catch (error) {
      broken(state);
      throw error;
    }
  };
  // Since 7.1; whoever looks for it must not find ours alone.
  if (loadFilesAsync) {
    Mocha.prototype.loadFilesAsync = async function load(...args) {
      const state = begin(this);
      try {
        return await loadFilesAsync.apply(this, args);
      } catch (error) {
        broken(state);
        throw error;
      }
    };
  }
  Mocha.prototype.run = function runAndListen(...args) {
    // Until it returns: where nobody has loaded the files yet, as before Mocha 6, `run` loads them, into the same report.
    report ??= openReport("mocha");
    const current = report;
    const Chosen = this._reporter;
    const dryRun = this.options.dryRun === true;
    this._reporter = function Listening(runner, options) {
      if (current) follow({ runner, report: current, dryRun });
      // Called with `new`: the reporter that it gives back is the one that was chosen.
      return new Chosen(runner, options);
    };
    try {
      return run.apply(this, args);
    } finally {
      report = undefined;
    }
  };
};

function follow({ runner, report, dryRun }) {
  const ends = new Map();
  runner.on("pass", (test) => ends.get(test) ?? ends.set(test, dryRun ? "skipped" : "passed"));
  runner.on("pending", (test) => ends.get(test) ?? ends.set(test, "skipped"));
  // Also a hook, and a test that had passed and then called back once more.
  runner.on("fail", (test) => ends.set(test, "failed"));
  runner.once("end", () => {
    for (const [test, end] of ends) report.test({ file: fileOf(test), path: titlesOf(test), end });
    report.finish();
  });
}

function fileOf(test) {
  return test.file ?? (test.parent ? fileOf(test.parent) : undefined);
}

/** What came from another process has lost its groups and kept their titles. */
function titlesOf(test) {
  const titles = typeof test.titlePath === "function" ? test.titlePath() : [test.parent?.fullTitle(), test.title];
  return titles.filter((title) => title);
}
