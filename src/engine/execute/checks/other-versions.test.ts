// Small twins of test programs that are not installed here, in the one way in which they differ from those that are.
import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { runWithReports } from "./reported-run.fixture.ts";

/** Before Mocha 6, and from a program of one's own in every version, `run` is what loads the files. */
const OLD_MOCHA = `
  const { EventEmitter } = require("node:events");
  class Mocha {
    constructor() {
      this.suite = new EventEmitter();
      this.options = {};
      this._reporter = class { constructor(runner) { runner.on("end", () => console.log("  2 passing (1ms)")); } };
    }
    loadFiles() {
      for (const file of ["a.js", "b.js"]) {
        this.suite.emit("pre-require", global, require("node:path").resolve(file));
        require(require("node:path").resolve(file));
      }
    }
    run() {
      this.loadFiles();
      const runner = new EventEmitter();
      new this._reporter(runner, {});
      const parent = { fullTitle: () => "group" };
      for (const file of ["a.js", "b.js"]) {
        runner.emit("pass", { title: "works", parent, file: require("node:path").resolve(file) });
      }
      runner.emit("end");
    }
  }
  module.exports = Mocha;
`;
const MAIN = 'const Mocha = require("./node_modules/mocha/lib/mocha.js"); new Mocha().run();';

test("[A-22] a Mocha that loads its files while it runs gives one report, and it is finished", async () => {
  const files = { "node_modules/mocha/lib/mocha.js": OLD_MOCHA, "main.js": MAIN, "a.js": "", "b.js": "" };
  const { tests, problem, stdout } = await runWithReports("node main.js", files);
  expect(problem).toBeUndefined();
  expect(tests).toMatchObject({ source: "mocha", asked: true });
  expect(tests?.names).toEqual({ "a.js › group › works": "passed", "b.js › group › works": "passed" });
  expect(stdout).toContain("2 passing");
});

test("[A-22] a file that such a Mocha cannot load is named", async () => {
  const files = { "node_modules/mocha/lib/mocha.js": OLD_MOCHA, "main.js": MAIN, "a.js": "", "b.js": "nothing()" };
  const { tests, exit } = await runWithReports("node main.js", files);
  expect(tests).toMatchObject({ source: "mocha", asked: true, uncollected: ["b.js"] });
  expect(exit).toBe(1);
});

test("a Mocha that cannot load files asynchronously does not look as if it could", async () => {
  const main = `${MAIN} console.log(typeof Mocha.prototype.loadFilesAsync);`;
  const files = { "node_modules/mocha/lib/mocha.js": OLD_MOCHA, "main.js": main, "a.js": "", "b.js": "" };
  expect((await runWithReports("node main.js", files)).stdout).toContain("undefined");
});

/** Since pytest 9.1 the name of the program is handed in as well. */
const NEW_PYTEST = `
import os
class Config:
    rootdir = os.getcwd()
    class option: collectonly = False
def hookimpl(**_options): return lambda function: function
def _prepareconfig(args=None, plugins=None, *, prog="pytest"): return prog, plugins or []
class Session: config = Config
class Passed: outcome, nodeid = "passed", "test_a.py::test_one"
def main():
    prog, plugins = _prepareconfig([], None, prog="python -m pytest")
    for plugin in plugins:
        plugin.pytest_sessionstart(Session)
        plugin.pytest_runtest_logreport(Passed)
        plugin.pytest_sessionfinish()
    print(prog)
`;

const python = spawnSync("python3", ["--version"]).status === 0;
test.skipIf(!python)("[A-22] a pytest that hands in more is asked (skipped where there is no python3)", async () => {
  const files = { "_pytest/__init__.py": "", "_pytest/config/__init__.py": NEW_PYTEST, "test_a.py": "" };
  const { tests, stdout } = await runWithReports('python3 -c "from _pytest.config import main; main()"', files);
  expect(stdout).toBe("python -m pytest\n");
  expect(tests).toMatchObject({ source: "pytest", asked: true, names: { "test_a.py › test_one": "passed" } });
});
