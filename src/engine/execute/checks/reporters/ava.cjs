// AVA's own events: they pass through the one class that sends them, which AVA loads like we do.
"use strict";
const { createRequire } = require("node:module");
const { pathToFileURL } = require("node:url");
const { forgetAsking, openReport } = require("./report-file.cjs");

exports.listen = function listen(main) {
  // AVA starts its workers much later than this is loaded.
  import(pathToFileURL(createRequire(main).resolve("emittery")).href).then(({ default: Emittery }) => {
    const { emit } = Emittery.prototype;
    const seen = follow();
    Emittery.prototype.emit = function emitAndListen(...args) {
      if (args[0] === "stateChange" && args[1]) seen(args[1]);
      return emit.apply(this, args);
    };
  });
  forgetAsking();
};

function follow() {
  const files = new Map();
  let begun = false;
  const fileOf = (path) => {
    if (!files.has(path)) files.set(path, { ends: new Map(), broken: false });
    return files.get(path);
  };
  return (event) => {
    if (!begun) begin(files);
    begun = true;
    if (event.testFile) note(event, fileOf(event.testFile));
    // Tests that were still to end when a worker was stopped or stopped itself.
    if (event.pendingTests instanceof Map) {
      for (const [path, titles] of event.pendingTests) {
        for (const title of titles) fileOf(path).ends.set(title, "failed");
      }
    }
  };
}

function begin(files) {
  const report = openReport("ava");
  process.once("exit", () => {
    for (const [file, { ends, broken }] of files) {
      for (const [title, end] of ends) report?.test({ file, path: [title], end: end ?? "failed" });
      if (ends.size === 0) report?.uncollected(file);
      else if (broken) report?.test({ file, path: ["(outside tests)"], end: "failed" });
    }
    report?.finish();
  });
}

const BROKEN = new Set(["uncaught-exception", "unhandled-rejection", "worker-failed", "internal-error"]);

/** A selected test that never ends has failed. */
function note(event, file) {
  const { ends } = file;
  if (event.type === "selected-test") ends.set(event.title, event.skip || event.todo ? "skipped" : undefined);
  // One that is known to fail, and does, shows nothing of what it asks for.
  if (event.type === "test-passed") ends.set(event.title, event.knownFailing ? "skipped" : "passed");
  if (event.type === "test-failed" || event.type === "hook-failed") ends.set(event.title, "failed");
  if (BROKEN.has(event.type)) file.broken = true;
}
