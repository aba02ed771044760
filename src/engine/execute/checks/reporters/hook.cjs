// Required by every Node process of a check; does something only in the main process of a known test program.
"use strict";
const { isMainThread } = require("node:worker_threads");

function start() {
  const main = mainFile();
  if (/[\\/]vitest[\\/](?:vitest\.mjs|dist[\\/]cli\.js)$/.test(main)) askVitest();
  else if (/[\\/]ava[\\/](?:entrypoints[\\/]cli\.mjs|cli\.js)$/.test(main)) require("./ava.cjs").listen(main);
  else listenToLoading();
}

function mainFile() {
  try {
    return require("node:fs").realpathSync(process.argv[1]);
  } catch {
    return "";
  }
}

const OTHER_COMMANDS = ["bench", "init", "list"];
const NO_RUN = new Set(["-h", "--help", "-v", "--version", "--clearCache"]);

/** Another reporter is the one way in; without one of the user's own the usual one stays beside it. */
function askVitest() {
  const args = process.argv.slice(2);
  const ours = require("node:path").join(__dirname, "vitest.mjs");
  if (OTHER_COMMANDS.includes(args[0]) || args.some((arg) => NO_RUN.has(arg) || arg.endsWith(ours))) return;
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
  const value = function loadAndListen(module, filename) {
    load(module, filename);
    const [, listen] = LISTENERS.find(([file]) => file.test(filename)) ?? [];
    listen?.(module);
  };
  extensions[".js"] = value;
  // Coverage programs set this one as well, around ours. It must not be seen: names without an ending would find files.
  Object.defineProperty(extensions, ".cjs", { value, writable: true, configurable: true, enumerable: false });
}

try {
  // A file that `node --test` started reports to its parent.
  if (isMainThread && process.env.SIGNALBOX_REPORTS && !process.env.NODE_TEST_CONTEXT) start();
} catch {
  // Without us the tests run as they always did, and only what they print can be read.
}
