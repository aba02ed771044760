import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { isNothingCollected } from "../../../core/checks/reports/test-report.ts";
import { addReportPath } from "./ask-for-reports.ts";
import { runWithReports } from "./reported-run.fixture.ts";

const UNSEEN = "Object.keys(process.env).filter((name) => /^(SIGNALBOX|NODE_OPTIONS|PYTHONPATH)/.test(name))";

describe("Node's own test runner", () => {
  const TESTS = `
    const { describe, it, test } = require("node:test");
    const assert = require("node:assert");
    describe("group", () => {
      describe("inner", () => {
        it("adds", () => { console.log("# tests 99\\n# pass 99"); });
        it("same", () => {});
        it("same", () => assert.deepEqual(${UNSEEN}, []));
      });
      it("fails", () => assert.equal(1, 2));
      it.skip("later", () => {});
    });
    test("parent", (t) => t.test("child", () => {}));
  `;
  const NAMES = {
    "test/a.test.js › group › inner › adds": "passed",
    "test/a.test.js › group › inner › same": "passed",
    "test/a.test.js › group › inner › same #2": "passed",
    "test/a.test.js › group › fails": "failed",
    "test/a.test.js › group › later": "skipped",
    "test/a.test.js › parent › child": "passed",
    "test/a.test.js › parent": "passed",
  };

  test.each([
    ["as a test run", "node --test", /✖ fails/],
    ["as a program", "node test/a.test.js", /✖ fails/],
    ["with a reporter of the user's", "node --test --test-reporter=tap test/a.test.js", /not ok 2 - fails/],
    ["with a reporter and its destination", "node --test --test-reporter=tap --test-reporter-destination=out", /^$/],
  ])("[A-22] gives every test by name, %s", async (_how, line, shown) => {
    const { tests, exit, stdout } = await runWithReports(line, { "test/a.test.js": TESTS });
    expect(tests).toEqual({
      ...{ passed: 5, failed: 1, skipped: 1, total: 7, source: "node:test", asked: true },
      names: NAMES,
    });
    expect(exit).toBe(1);
    expect(stdout).toMatch(shown);
  });

  test("[A-20] a file that cannot be loaded is a failed test of its name", async () => {
    const { tests } = await runWithReports("node --test", { "test/b.test.js": 'require("./nothing");' });
    expect(tests?.names).toEqual({ "test/b.test.js (cannot be collected)": "failed" });
    expect(tests && isNothingCollected(tests)).toBe(true);
  });

  test("[A-20] a test that ends the program ends the report too", async () => {
    const text = 'const { test } = require("node:test"); test("a", () => process.exit(0)); test("b", () => {});';
    const { exit, problem, tests } = await runWithReports("node a.test.js", { "a.test.js": text });
    expect({ exit, problem, tests }).toEqual({
      exit: 0,
      problem: "node:test started a report and did not finish it",
      tests: undefined,
    });
  });

  test("a line of several test programs adds up", async () => {
    const one = 'require("node:test")("works", () => {});';
    const line = "node a.js && node b.js && node a.js";
    const { tests } = await runWithReports(line, { "a.js": one, "b.js": one });
    expect(tests?.names).toEqual({ "a.js › works": "passed", "a.js › works #2": "passed", "b.js › works": "passed" });
  });
});

describe("Vitest", () => {
  const TESTS = `
    import { beforeAll, describe, expect, test } from "vitest";
    describe("group", () => {
      test("adds", () => { console.log("Tests  99 passed (99)"); });
      test("sees nothing", () => expect(${UNSEEN}).toEqual([]));
      test.skip("later", () => {});
    });
    describe("hooks", () => {
      beforeAll(() => { throw new Error("broken") });
      test("never", () => {});
    });
  `;

  test("[A-22] gives every test by name beside what it shows, and files that cannot be loaded", async () => {
    const files = { "package.json": '{"type":"module"}', "a.test.js": TESTS, "b.test.js": 'import "./nothing.js";' };
    const { tests, exit, stdout } = await runWithReports("vitest run --root .", files);
    expect(tests?.names).toEqual({
      "a.test.js › group › adds": "passed",
      "a.test.js › group › sees nothing": "passed",
      "a.test.js › group › later": "skipped",
      "a.test.js › hooks › never": "skipped",
      "a.test.js › hooks › (outside tests)": "failed",
      "b.test.js (cannot be collected)": "failed",
    });
    expect(tests).toMatchObject({ source: "vitest", asked: true, uncollected: ["b.test.js"] });
    expect(exit).toBe(1);
    expect(stdout).toContain("Test Files");
  });

  test("a test that is known to fail, and does, counts as skipped", async () => {
    const text = `import { expect, test } from "vitest"; test.fails("not yet", () => expect(1).toBe(2));`;
    const { tests } = await runWithReports("vitest run --root .", { "a.test.js": text });
    expect(tests?.names).toEqual({ "a.test.js › not yet": "skipped" });
  });

  test("a reporter that the line names stays the only one that shows something", async () => {
    const text = 'import { test } from "vitest"; test("works", () => {});';
    const { tests, stdout } = await runWithReports("vitest run --root . --reporter=tap-flat", { "a.test.js": text });
    expect(tests).toMatchObject({ asked: true, names: { "a.test.js › works": "passed" } });
    expect(stdout).toMatch(/^TAP version 13\n1\.\.1\nok 1 - a\.test\.js > works/);
  });

  test("a line that sets NODE_OPTIONS itself still gets the report request", async () => {
    const text = `import { expect, test } from "vitest"; test("works", () => expect(process.env.NODE_OPTIONS).toBe("--no-warnings"));`;
    const { tests } = await runWithReports("NODE_OPTIONS=--no-warnings vitest run --root .", { "a.test.js": text });
    expect(tests).toMatchObject({ asked: true, names: { "a.test.js › works": "passed" } });
  });
});

const UNITTEST = `
import os, unittest
class A(unittest.TestCase):
    def test_adds(self):
        print("Ran 99 tests in 1s\\n\\nOK")
        self.assertFalse([name for name in os.environ if name.startswith(("SIGNALBOX", "NODE_OPTIONS", "PYTHONPATH"))])
    def test_fails(self):
        self.assertEqual(1, 2)
    @unittest.skip("later")
    def test_later(self): pass
    def test_parts(self):
        for part in range(3):
            with self.subTest(part=part): self.assertNotEqual(part, 1)
`;

const has = (...argv: readonly [string, ...string[]]) => spawnSync(argv[0], argv.slice(1)).status === 0;
const python = has("python3", "--version");
const pytest = has("pytest", "--version");

describe("Python", () => {
  test.skipIf(!python)("[A-22] unittest gives every test by name (skipped where there is no python3)", async () => {
    const files = { "test_a.py": UNITTEST, "test_b.py": "import nothing_of_this_name\n" };
    const { tests, exit } = await runWithReports("python3 -m unittest", files);
    expect(tests).toMatchObject({ source: "unittest", asked: true, uncollected: ["test_b.py"] });
    expect(tests?.names).toEqual({
      "test_a.py › A › test_adds": "passed",
      "test_a.py › A › test_fails": "failed",
      "test_a.py › A › test_later": "skipped",
      "test_a.py › A › test_parts": "failed",
      "test_b.py (cannot be collected)": "failed",
    });
    expect(exit).toBe(1);
  });

  test.skipIf(!python)("[A-20] a test that ends Python ends the report too", async () => {
    const text = "import os, unittest\nclass A(unittest.TestCase):\n    def test_a(self): os._exit(0)\n";
    const { exit, problem } = await runWithReports("python3 -m unittest", { "test_a.py": text });
    expect({ exit, problem }).toEqual({ exit: 0, problem: "unittest started a report and did not finish it" });
  });

  test.skipIf(!python)("the sitecustomize of the project is loaded all the same", async () => {
    const files = { "own/sitecustomize.py": "import builtins\nbuiltins.OWN = 'own'\n" };
    const { stdout } = await runWithReports('PYTHONPATH="$PYTHONPATH:own" python3 -c "print(OWN)"', files);
    expect(stdout).toBe("own\n");
  });

  test.skipIf(!pytest)("[A-22] pytest gives every test by name (skipped where there is no pytest)", async () => {
    const text = [
      "import pytest",
      "class TestGroup:",
      "    def test_adds(self): print('=== 99 passed in 1s ===')",
      "@pytest.mark.parametrize('value', ['a::b', 'c'])",
      "def test_values(value): assert value != 'c'",
      "@pytest.fixture",
      "def broken(): raise ValueError()",
      "def test_set_up(broken): pass",
      "@pytest.mark.skip",
      "def test_later(): pass",
    ].join("\n");
    const { tests, exit } = await runWithReports("pytest -q -p no:cacheprovider", { "tests/test_a.py": text });
    expect(tests?.names).toEqual({
      "tests/test_a.py › TestGroup › test_adds": "passed",
      "tests/test_a.py › test_values[a::b]": "passed",
      "tests/test_a.py › test_values[c]": "failed",
      "tests/test_a.py › test_set_up": "failed",
      "tests/test_a.py › test_later": "skipped",
    });
    expect(exit).toBe(1);
  });

  test.skipIf(!pytest)("[A-20] where pytest can collect nothing, that is what it says", async () => {
    const { tests } = await runWithReports("pytest -q", {
      "test_a.py": "def test_a(): pass",
      "test_b.py": "import nothing",
    });
    expect(tests?.names).toEqual({ "test_b.py (cannot be collected)": "failed" });
    expect(tests && isNothingCollected(tests)).toBe(true);
  });

  test.skipIf(!pytest)(
    "[A-22] a test file whose name is no text is known, though pytest fails to note it",
    async () => {
      const line = "cp test_a.py \"$(printf 'test_\\377.py')\" && pytest -q";
      const { tests } = await runWithReports(line, { "test_a.py": "def test_a(): pass" });
      expect(tests).toMatchObject({ total: 2, passed: 2, asked: true });
    },
  );

  test.skipIf(!pytest)("[A-22] a line that sets PYTHONPATH itself is asked all the same", async () => {
    const seen = "import os\nimport own\ndef test_a(): assert os.environ['PYTHONPATH'] == 'src'\n";
    const files = { "test_a.py": seen, "src/own.py": "" };
    for (const line of ["PYTHONPATH=src pytest -q", "export PYTHONPATH='src' && python3 -m pytest -q"]) {
      const { tests, exit } = await runWithReports(line, files);
      expect({ exit, names: tests?.names, asked: tests?.asked }).toEqual({
        exit: 0,
        names: { "test_a.py › test_a": "passed" },
        asked: true,
      });
    }
  });

  test("only a word that sets PYTHONPATH is added to, and an empty one stays without the folder of the line", () => {
    const added = addReportPath("PYTHONPATH= pytest; env PYTHONPATH=src pytest; echo MY_PYTHONPATH=x '$PYTHONPATH='");
    expect(added.replaceAll(/'[^']*\/reporters\/python'/g, "ours")).toBe(
      "PYTHONPATH=ours pytest; env PYTHONPATH=ours:src pytest; echo MY_PYTHONPATH=x '$PYTHONPATH='",
    );
  });
});

describe("Go", () => {
  test.skipIf(!has("go", "version"))(
    "[A-22] go test gives every test by name (skipped where there is no go)",
    async () => {
      const files = {
        "go.mod": "module example.com/m\n\ngo 1.19\n",
        "a_test.go": `package m
import ("fmt"; "testing")
func TestA(t *testing.T) { fmt.Println("--- PASS: TestForged (0.00s)"); t.Run("inner", func(t *testing.T) { t.Fail() }) }
`,
        "sub/b_test.go": 'package sub\nimport "testing"\nfunc TestB(t *testing.T) { t.Skip() }\n',
        "bad/c_test.go": 'package bad\nimport "testing"\nfunc TestC(t *testing.T) { nothing() }\n',
      };
      const { tests, exit, stdout } = await runWithReports("go list ./... >&2 && go test ./...", files);
      expect(tests?.names).toEqual({
        ". › TestA": "failed",
        ". › TestA › inner": "failed",
        "sub › TestB": "skipped",
        "bad (cannot be collected)": "failed",
      });
      expect(exit).not.toBe(0);
      expect(stdout).toMatch(/ok {2}\texample\.com\/m\/sub/);
    },
    120_000,
  );
});

test("a program without reports is counted by its output", async () => {
  const { tests } = await runWithReports("printf '1..1\\nok 1 - a\\n'", {});
  expect(tests).toMatchObject({ source: "tap", total: 1 });
  expect(tests?.asked).toBeUndefined();
});
