// Required by every Node process of a check; does something only in the main process of a known test program.
"use strict";
const { isMainThread } = require("node:worker_threads");

function start() {
  const { forgetAsking } = require("./report-file.cjs");
  const main = mainFile();
  if (/[\\/]vitest[\\/](?:vitest\.mjs|dist[\\/]cli\.js)$/.test(main)) askVitest();
  else if (/[\\/]ava[\\/](?:entrypoints[\\/]cli\.mjs|cli\.js)$/.test(main)) require("./ava.cjs").listen(main);
  else listenToLoading();
  if (clashes()) startOnceMore();
  if (process.execArgv.includes("--test")) forgetAsking();
}

function mainFile() {
  try {
    return require("node:fs").realpathSync(process.argv[1]);
  } catch {
    return "";
  }
}

const NO_RUN = new Set(["bench", "init", "list", "-h", "--help", "-v", "--version", "--clearCache"]);

/** Another reporter is the one way in; without one of the user's own the usual one stays beside it. */
function askVitest() {
  const args = process.argv.slice(2);
  const ours = require("node:path").join(__dirname, "vitest.mjs");
  if (args.some((arg) => NO_RUN.has(arg) || arg.endsWith(ours))) return;
  const chosen = args.some((arg) => /^--reporters?(?:=|$)/.test(arg));
  const end = args.includes("--") ? args.indexOf("--") : args.length;
  process.argv.splice(2 + end, 0, ...(chosen ? [] : ["--reporter=default"]), `--reporter=${ours}`);
}

const LISTENERS = [
  [/[\\/]mocha[\\/]lib[\\/]mocha\.c?js$/, (module) => require("./mocha.cjs").listen(module.exports)],
  [
    /[\\/]@jest[\\/]core[\\/]build[\\/](?:jest|index)\.js$/,
    (module) => {
      module.exports = require("./jest.cjs").listening(module.exports);
    },
  ],
];

/** Mocha and Jest are also started from inside other programs: where their own module is loaded, tests are run. */
function listenToLoading() {
  const extensions = require("node:module")._extensions;
  const load = extensions[".js"];
  extensions[".js"] = function loadAndListen(module, filename) {
    load(module, filename);
    const [, listen] = LISTENERS.find(([file]) => file.test(filename)) ?? [];
    listen?.(module);
  };
}

/** A reporter without a destination may stand alone, but not beside ours. */
function clashes() {
  const count = (name) => process.execArgv.filter((arg) => arg === name || arg.startsWith(`${name}=`)).length;
  return count("--test-reporter") === 1 && count("--test-reporter-destination") === 0 && !process.send;
}

function startOnceMore() {
  const args = [...process.execArgv, "--test-reporter-destination=stdout", ...process.argv.slice(1)];
  const { status, signal } = require("node:child_process").spawnSync(process.execPath, args, { stdio: "inherit" });
  if (signal) process.kill(process.pid, signal);
  process.exit(status ?? 1);
}

try {
  // A file that `node --test` started reports to its parent.
  if (isMainThread && process.env.SIGNALBOX_REPORTS && !process.env.NODE_TEST_CONTEXT) start();
} catch {
  // Without us the tests run as they always did, and only what they print can be read.
}
