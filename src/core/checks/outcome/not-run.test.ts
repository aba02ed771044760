import { expect, test } from "vitest";
import { explainNotRun } from "./not-run.ts";

const SCRIPT = "signalbox: ./x is there, but its interpreter /no/such (in its first line) is not";

test.each([
  [127, "> a@1.0.0 test\n> xo && ava\n\nsh: 1: xo: not found\n", "sh: 1: xo: not found"],
  [127, `sh: 1: ./x: not found\n${SCRIPT}\n`, SCRIPT],
  [127, "", "its program was not found"],
  [126, "sh: 1: ./check.sh: Permission denied", "it cannot be started"],
  [null, "still at it", "it was stopped before it ended"],
  [1, 'npm error Missing script: "test"\nnpm error\nnpm error To see a list', 'npm error Missing script: "test"'],
  [2, "make: *** No rule to make target 'test'.  Stop.\n", "make: *** No rule to make target 'test'.  Stop."],
  [
    2,
    "make: xo: No such file or directory\nmake: *** [Makefile:2: lint] Error 127",
    "make: *** [Makefile:2: lint] Error 127",
  ],
  [1, "/usr/bin/python3: No module named pytest\n", "/usr/bin/python3: No module named pytest"],
  [
    1,
    "Error: browserType.launch: Executable doesn't exist at /home/a/.cache/ms-playwright/chromium-1/chrome\n╔═══╗",
    "browserType.launch: Executable doesn't exist",
  ],
  [1, "Error: Could not find Chrome (ver. 130.0.1). This can occur", "Could not find Chrome (ver. 130.0.1)"],
  [1, 'yarn run v1\nerror Command "test" not found.\n', 'error Command "test" not found.'],
])("[A-20] exit %s with %j did not run: %s", (exitCode, output, why) => {
  expect(explainNotRun({ exitCode, output })).toBe(why);
});

test.each([
  [0, "sh: 1: xo: not found"],
  [1, "1 failing\n  the file was not found: a.txt"],
  [1, "AssertionError: expected 'not found' to be 'found'"],
  [2, "error TS2304: Cannot find name 'x'."],
])("exit %s with %j has run", (exitCode, output) => {
  expect(explainNotRun({ exitCode, output })).toBeUndefined();
});

test("a command that counted tests has run, whatever a test printed", () => {
  expect(explainNotRun({ exitCode: 1, output: "sh: 1: xo: not found", tests: { total: 3 } })).toBeUndefined();
});
