import { describe, expect, test } from "vitest";
import { type TextChange, tamperFindings } from "./tamper.ts";

type Sides = readonly [before: string | undefined, after: string | undefined];

/** What changed: path → text before and after; without one of them the file was added or deleted. */
function judge(files: Readonly<Record<string, Sides>>, protectedPaths: readonly string[] = []) {
  const changes = Object.entries(files).map(([path, [before, after]]): TextChange => {
    const both = before === undefined ? "added" : "modified";
    return { path, status: before !== undefined && after === undefined ? "deleted" : both, before, after };
  });
  return tamperFindings({ changes, protectedPaths });
}

const JS = `import { expect, it } from "vitest";

it("adds", () => {
  expect(add(1, 2)).toBe(3);
  expect(add(0, 0)).toBe(0);
});

it("subtracts", () => {
  expect(subtract(3, 2)).toBe(1);
});
`;
const PYTHON = `import pytest

def test_add():
    assert add(1, 2) == 3

class TestShop:
    def test_price(self):
        self.assertEqual(price(), 3)
        assert price() > 0
`;
const GO = `package shop

func TestAdd(t *testing.T) {
	if got := Add(1, 2); got != 3 {
		t.Errorf("got %d", got)
	}
}

func TestPrice(t *testing.T) {
	require.Equal(t, 3, Price())
}
`;
const RUST = `pub fn add(a: i32, b: i32) -> i32 { assert!(a > 0); a + b }

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adds() {
        assert_eq!(add(1, 2), 3);
    }
}
`;
const JAVA = `class ShopTest {
  @Test
  void adds() {
    assertEquals(3, add(1, 2));
  }
}
`;
const RUBY = `describe Shop do
  it "adds" do
    expect(add(1, 2)).to eq 3
  end
end
`;
const CI = `on: [push, pull_request]
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - run: npm ci
      - run: npm run lint
      - run: npm test
`;
const MAKE = "test: build\n\tgo test ./...\n\nbuild:\n\tgo build ./...\n\nclean:\n\t-rm -rf dist\n";
const TOX = "[testenv]\ndeps = pytest\ncommands =\n    pytest {posargs}\n";
const VITEST = `export default { test: { exclude: ["dist"], coverage: { thresholds: { lines: 90, branches: 80 } } } };\n`;
const pack = (scripts: object, more: object = {}) => JSON.stringify({ name: "a", scripts, ...more }, null, 2);
const PACKAGE = pack({ build: "tsc", test: "vitest run", lint: "eslint .", dev: "vite" });

const swap = (text: string, from: string, to: string): Sides => {
  if (!text.includes(from)) throw new Error(`the fixture does not hold ${from}`);
  return [text, text.replace(from, to)];
};

describe("[A-16] tampering is found", () => {
  const cases: Readonly<Record<string, readonly [Readonly<Record<string, Sides>>, string]>> = {
    "a test file is deleted": [{ "src/a.test.ts": [JS, undefined] }, "src/a.test.ts was deleted with 2 tests"],
    "a test file without known tests is deleted": [{ "a.spec.ts": ["run();", undefined] }, "a.spec.ts was deleted"],
    "a test file is renamed so that nobody finds it": [
      { "test_shop.py": [PYTHON, undefined], "shop_checks.py": [undefined, PYTHON] },
      "test_shop.py was deleted with 2 tests",
    ],
    "a test is removed": [
      { "src/a.test.ts": [JS, JS.slice(0, JS.indexOf('it("subtracts"'))] },
      "src/a.test.ts has 1 test fewer",
    ],
    "a test is commented out": [
      { "src/a.test.ts": [JS, JS.replace('it("subtracts"', '/* it("subtracts"').concat("*/")] },
      "has 1 test fewer",
    ],
    "a Go test loses its name": [{ "shop_test.go": swap(GO, "func TestPrice", "func testPrice") }, "has 1 test fewer"],
    "a JavaScript test is skipped": [{ "src/a.test.ts": swap(JS, 'it("adds"', 'it.skip("adds"') }, 'it.skip("adds"'],
    "a JavaScript test is crossed out": [{ "src/a.test.ts": swap(JS, 'it("adds"', 'xit("adds"') }, "1 new mark"],
    "a Node test is skipped by option": [
      { "a.test.js": ['test("a", () => {});', 'test("a", { skip: true }, () => {});'] },
      "1 new mark",
    ],
    "a JavaScript test is focused": [
      { "src/a.test.ts": swap(JS, 'it("adds"', 'it.only("adds"') },
      "a focus mark is new",
    ],
    "a pytest test is skipped": [
      { "tests/test_shop.py": swap(PYTHON, "def test_add", '@pytest.mark.skip(reason="later")\ndef test_add') },
      "@pytest.mark.skip",
    ],
    "an old pytest test is skipped on a condition": [
      { "tests/test_shop.py": swap(PYTHON, "def test_add", "@pytest.mark.skipif(CI, reason='x')\ndef test_add") },
      "skipif",
    ],
    "a pytest test is expected to fail": [
      { "tests/test_shop.py": swap(PYTHON, "def test_add", "@pytest.mark.xfail\ndef test_add") },
      "xfail",
    ],
    "a Go test is skipped": [
      { "shop_test.go": swap(GO, "\trequire.Equal", '\tt.Skip("later")\n\trequire.Equal') },
      "t.Skip",
    ],
    "a Go test is skipped if true": [
      { "shop_test.go": swap(GO, "\trequire.Equal", "\tif true {\n\t\tt.SkipNow()\n\t}\n\trequire.Equal") },
      "t.SkipNow",
    ],
    "a Go test file is taken out of the build": [
      { "shop_test.go": [GO, `//go:build ignore\n\n${GO}`] },
      "go:build ignore",
    ],
    "a Rust test is ignored": [{ "src/lib.rs": swap(RUST, "#[test]", "#[test]\n    #[ignore]") }, "#[ignore]"],
    "a Java test is disabled": [
      { "src/test/java/ShopTest.java": swap(JAVA, "@Test", "@Disabled\n  @Test") },
      "@Disabled",
    ],
    "a Ruby test is pending": [{ "spec/shop_spec.rb": swap(RUBY, "    expect", "    skip\n    expect") }, "skip"],
    "a JavaScript assertion is dropped": [
      { "src/a.test.ts": swap(JS, "  expect(add(0, 0)).toBe(0);\n", "") },
      "src/a.test.ts has 1 assertion fewer",
    ],
    "a JavaScript assertion is replaced by one that cannot fail": [
      { "src/a.test.ts": swap(JS, "expect(add(0, 0)).toBe(0)", "expect(true).toBe(true)") },
      "has 1 assertion fewer",
    ],
    "a JavaScript assertion is true in any case": [
      { "src/a.test.ts": swap(JS, "expect(add(0, 0)).toBe(0)", "expect(add(0, 0) === 0 || true).toBe(true)") },
      "has 1 assertion fewer",
    ],
    "a Python assertion is dropped": [
      { "tests/test_shop.py": swap(PYTHON, "        assert price() > 0\n", "") },
      "has 1 assertion fewer",
    ],
    "a Python assertion is always true": [
      { "tests/test_shop.py": swap(PYTHON, "assert price() > 0", "assert price() > 0 or True") },
      "has 1 assertion fewer",
    ],
    "a Go assertion is dropped": [
      { "shop_test.go": swap(GO, '\t\tt.Errorf("got %d", got)', "\t\t_ = got") },
      "has 1 assertion fewer",
    ],
    "a Rust assertion is dropped": [
      { "src/lib.rs": swap(RUST, "assert_eq!(add(1, 2), 3);", "add(1, 2);") },
      "has 1 assertion fewer",
    ],
    "the test script ignores its result": [
      { "package.json": swap(PACKAGE, "vitest run", "vitest run || true") },
      'relaxes the script "test": the result of vitest is ignored',
    ],
    "the test script only speaks": [
      { "package.json": swap(PACKAGE, "vitest run", "echo all tests passed") },
      'relaxes the script "test": it runs nothing any more',
    ],
    "the test script runs something else": [
      { "package.json": swap(PACKAGE, "vitest run", "node scripts/pass.js") },
      "vitest no longer runs",
    ],
    "a script of one's own ignores its result": [
      { "package.json": [pack({ test: "node test/all.js" }), pack({ test: "node test/all.js; exit 0" })] },
      "the result of node test/all.js is ignored",
    ],
    "the lint script is gone": [
      { "package.json": [pack({ lint: "eslint ." }), pack({})] },
      'relaxes the script "lint": it is gone',
    ],
    "coverage thresholds are lowered": [
      { "vitest.config.ts": swap(VITEST, "lines: 90", "lines: 40") },
      "the threshold lines of 90 was lowered or removed",
    ],
    "coverage thresholds are removed with their file": [
      { ".coveragerc": ["[report]\nfail_under = 85\n", undefined] },
      "the threshold fail_under of 85",
    ],
    "a threshold in package.json is lowered": [
      {
        "package.json": [
          pack({}, { jest: { coverageThreshold: { global: { lines: 90 } } } }),
          pack({}, { jest: { coverageThreshold: { global: { lines: 9 } } } }),
        ],
      },
      "the threshold lines of 90",
    ],
    "a test file is excluded": [
      { "vitest.config.ts": swap(VITEST, '["dist"]', '["dist", "src/a.test.ts"]') },
      "a test file is excluded",
    ],
    "no tests at all may pass": [
      { "jest.config.js": ["module.exports = {};", "module.exports = { passWithNoTests: true };"] },
      "no tests at all would pass",
    ],
    "pytest leaves tests out": [
      { "pytest.ini": ["[pytest]\naddopts = -q\n", "[pytest]\naddopts = -q --deselect tests/test_a.py\n"] },
      "tests are left out",
    ],
    "tox ignores the result": [
      { "tox.ini": swap(TOX, "    pytest", "    - pytest") },
      "the result of pytest is ignored",
    ],
    "a conftest reports every test as passed": [
      {
        "tests/conftest.py": [
          "",
          'import pytest\n@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_makereport(item, call):\n    out = yield\n    report = out.get_result()\n    report.outcome = "passed"\n',
        ],
      },
      "it sets the outcome of tests",
    ],
    "a plugin empties the collection": [
      { "plug.py": [undefined, "def pytest_collection_modifyitems(items):\n    items[:] = []\n"] },
      "it leaves tests out",
    ],
    "a conftest ends the program well": [
      { "conftest.py": ["", "import sys\n\ndef pytest_sessionfinish():\n    sys.exit(0)\n"] },
      "decides the result of the tests itself (sys.exit(0))",
    ],
    "a set-up file ends the program well": [
      { "vitest.setup.ts": [undefined, 'process.on("exit", () => process.exit(0));'] },
      "decides the result of the tests itself",
    ],
    "a Go test main ends well": [
      { "main_test.go": [undefined, "func TestMain(m *testing.M) {\n\tm.Run()\n\tos.Exit(0)\n}\n"] },
      "os.Exit(0)",
    ],
    "a CI step may fail": [
      { ".github/workflows/ci.yml": [CI, `${CI}        continue-on-error: true\n`] },
      "the result of npm test is ignored",
    ],
    "a CI job is switched off": [
      { ".github/workflows/ci.yml": swap(CI, "    runs-on", `    if: ${"$"}{{ false }}\n    runs-on`) },
      "is ignored",
    ],
    "a CI step is commented out": [
      { ".github/workflows/ci.yml": swap(CI, "      - run: npm test", "      # - run: npm test") },
      "npm test no longer runs",
    ],
    "a CI workflow is deleted": [{ ".github/workflows/ci.yml": [CI, undefined] }, "npm lint no longer runs"],
    "a CI workflow no longer sees pull requests": [
      { ".github/workflows/ci.yml": swap(CI, "[push, pull_request]", "push") },
      "it no longer runs on pull_request",
    ],
    "a GitLab job may fail": [
      { ".gitlab-ci.yml": ["t:\n  script:\n    - pytest\n", "t:\n  allow_failure: true\n  script:\n    - pytest\n"] },
      "the result of pytest is ignored",
    ],
    "a make target ignores its result": [
      { Makefile: swap(MAKE, "\tgo test ./...", "\t-go test ./...") },
      'relaxes the target "test": the result of go test is ignored',
    ],
    "a make target only speaks": [{ Makefile: swap(MAKE, "go test ./...", "@echo ok") }, "it runs nothing any more"],
    "a make target is gone": [{ Makefile: [MAKE, MAKE.slice(MAKE.indexOf("build:\n"))] }, 'target "test": it is gone'],
    "a make target no longer builds": [
      { Makefile: swap("check: lint test\n\nlint:\n\truff check\n", "lint test", "test") },
      'relaxes the target "check": it no longer needs lint',
    ],
  };

  test.each(Object.entries(cases))("%s", (_name, [files, message]) => {
    expect(judge(files)).toEqual([
      { severity: "critical", message: expect.stringContaining(message), files: [expect.any(String)], by: "tamper" },
    ]);
  });

  test("a protected path is touched, in whatever way", () => {
    const paths = [".github/**", "LICENSE"];
    const found = judge({ ".github/x.md": [undefined, "a"], LICENSE: ["a", "b"], "src/a.ts": ["a", "b"] }, paths);
    expect(found.map((finding) => finding.message)).toEqual([
      ".github/x.md was added, but is protected",
      "LICENSE was changed, but is protected",
    ]);
    expect(judge({ LICENSE: ["a", undefined] }, paths)).toHaveLength(1);
  });

  test("fewer tests were collected", () => {
    const counts = (total: number) => ({ total, passed: total, failed: 0, skipped: 0, source: "tap" as const });
    const testCounts = [{ name: "test", before: counts(5), after: counts(4) }];
    expect(tamperFindings({ changes: [], protectedPaths: [], testCounts })).toEqual([
      { severity: "critical", message: "test collected 5 tests on the baseline and 4 now", by: "tamper" },
    ]);
  });

  test("each hit is a finding of its own", () => {
    const found = judge({ "src/a.test.ts": [JS, undefined], "package.json": swap(PACKAGE, "vitest run", "true") });
    expect(found.map((finding) => finding.files)).toEqual([["src/a.test.ts"], ["package.json"]]);
  });
});

describe("honest work is left alone", () => {
  const cases: Readonly<Record<string, Readonly<Record<string, Sides>>>> = {
    "tests are added to a file": { "src/a.test.ts": [JS, `${JS}\nit("multiplies", () => expect(1).toBe(one));\n`] },
    "a test file is added": {
      "src/b.test.ts": [undefined, JS],
      "test_b.py": [undefined, PYTHON],
      "b_test.go": [undefined, GO],
    },
    "a test file is renamed": { "src/a.test.ts": [JS, undefined], "src/shop/a.test.ts": [undefined, JS] },
    "a test file is renamed and edited": {
      "src/a.test.ts": [JS, undefined],
      "src/b.test.ts": [undefined, JS.replace("vitest", "./test.ts").replace("adds", "adds up")],
    },
    "a test file with a skipped test is renamed": {
      "src/a.test.ts": [JS.replace("it(", "it.skip("), undefined],
      "src/b.test.ts": [undefined, JS.replace("it(", "it.skip(")],
    },
    "a test file without known tests is moved": {
      "a.spec.ts": ["run();", undefined],
      "b.spec.ts": [undefined, "run();"],
    },
    "a test moves to another file": {
      "src/a.test.ts": [JS, JS.slice(0, JS.indexOf('it("subtracts"'))],
      "src/b.test.ts": ["", JS.slice(JS.indexOf('it("subtracts"'))],
    },
    "assertions are edited": { "src/a.test.ts": swap(JS, ".toBe(3)", ".toEqual(4)") },
    "an assertion becomes stricter": {
      "src/a.test.ts": ["expect(a).toEqual(expect.objectContaining({ b: 1 }));", "expect(a).toEqual({ b: 1 });"],
    },
    "assertions move into a helper": {
      "src/a.test.ts": [
        "it('a', () => { expect(a.x).toBe(1); expect(a.y).toBe(2); });\nit('b', () => { expect(b.x).toBe(1); expect(b.y).toBe(2); });",
        "function expectPoint(p) { expect(p.x).toBe(1); expect(p.y).toBe(2); }\nit('a', () => expectPoint(a));\nit('b', () => expectPoint(b));",
      ],
    },
    "assertions move into a function of any name": {
      "src/a.test.ts": [
        "it('a', () => {\n  expect(a).toBe(1);\n});\nit('b', () => {\n  expect(b).toBe(2);\n});\n",
        "it('a', () => {\n  same(a, 1);\n});\nit('b', () => {\n  same(b, 2);\n});\nfunction same(x, y) {\n  expect(x).toBe(y);\n}\n",
      ],
      "test_a.py": [
        "def test_a():\n    assert a() == 1\n\ndef test_b():\n    assert b() == 2\n",
        "def same(x, y):\n    assert x == y\n\ndef test_a():\n    same(a(), 1)\n\ndef test_b():\n    same(b(), 2)\n",
      ],
    },
    "a test is renamed and reformatted": {
      "tests/test_shop.py": swap(PYTHON, "def test_add():\n    assert", "def test_addition():\n    # why\n    assert"),
    },
    "a skip mark is removed": { "src/a.test.ts": [JS.replace("it(", "it.skip("), JS] },
    "a skip mark stands in a string or a comment": {
      "src/a.test.ts": [
        JS,
        `${JS}// it.skip("no")\nit("knows it.skip", () => expect(find("it.only(")).toBe(/\\.skip("/));\n`,
      ],
    },
    "a new test knows where it cannot run": {
      "tests/test_shop.py": [
        PYTHON,
        `${PYTHON}\n@pytest.mark.skipif(WIN, reason="x")\ndef test_new():\n    assert new()\n`,
      ],
      "shop_test.go": [
        GO,
        `${GO}\nfunc TestNew(t *testing.T) {\n\tif testing.Short() {\n\t\tt.Skip("long")\n\t}\n\tt.Fatal("x")\n}\n`,
      ],
    },
    "production code drops an assertion": {
      "src/lib.rs": swap(RUST, "assert!(a > 0); ", ""),
      "src/a.ts": ["assert(a);", "a;"],
    },
    "a fixture ends with 0 and skips": {
      "test/fixtures/ok.test.js": [JS, "it.skip('a'); process.exit(0);"],
      "testdata/a_test.go": [GO, undefined],
    },
    "a Go test brings a helper process": {
      "shop_test.go": [GO, `${GO}\nfunc TestHelper(t *testing.T) {\n\tos.Exit(0)\n}\n`],
    },
    "a test's text says that a program ends": {
      "a.test.ts": [JS, `${JS}\nit("ends", () => expect(run("process.exit(0)")).toBe(0));\n`],
    },
    "the test script measures coverage": { "package.json": swap(PACKAGE, "vitest run", "vitest run --coverage") },
    "another test program takes over": { "package.json": swap(PACKAGE, "vitest run", "jest --ci") },
    "scripts and dependencies are added": {
      "package.json": [
        PACKAGE,
        pack({ ...JSON.parse(PACKAGE).scripts, "test:one": "vitest run src/a.test.ts" }, { dependencies: {} }),
      ],
    },
    "a script is renamed": { "package.json": [pack({ lint: "eslint ." }), pack({ "lint:js": "eslint ." })] },
    "a script for development is relaxed": { "package.json": swap(PACKAGE, '"vite"', '"vite || true"') },
    "a placeholder becomes a test": {
      "package.json": [pack({ test: 'echo "Error: no test specified" && exit 1' }), pack({ test: "vitest run" })],
    },
    "package.json breaks, which is another check's finding": { "package.json": [PACKAGE, "{"] },
    "package.json is added or deleted": {
      "a/package.json": [undefined, PACKAGE],
      "b/package.json": [PACKAGE, undefined],
    },
    "thresholds are raised": { "vitest.config.ts": swap(VITEST, "lines: 90", "lines: 95") },
    "a lower threshold is added for one folder": {
      "vitest.config.ts": swap(VITEST, "branches: 80", 'branches: 80, "src/x": { lines: 50 }'),
    },
    "thresholds move to another file": {
      ".coveragerc": ["[report]\nfail_under = 85\n", undefined],
      "pyproject.toml": ["[project]\n", "[project]\n[tool.coverage.report]\nfail_under = 85\n"],
    },
    "test files are left out of coverage": { "vitest.config.ts": swap(VITEST, '["dist"]', '["dist", "**/*.test.ts"]') },
    "a comment speaks of thresholds": {
      "vitest.config.ts": [`// lines: 99\n${VITEST}`, VITEST],
      "pytest.ini": ["[pytest]\n", "[pytest]\n# --deselect x\n"],
    },
    "a CI job is added": {
      ".github/workflows/ci.yml": [
        CI,
        `${CI}  extra:\n    continue-on-error: true\n    steps:\n      - run: npm test -- -t smoke\n`,
      ],
    },
    "a CI job moves to another workflow": {
      ".github/workflows/ci.yml": [CI, undefined],
      ".github/workflows/test.yaml": [undefined, CI.replace("[push, pull_request]", "{ push: {}, pull_request: {} }")],
    },
    "CI gets another version and a cleanup that may fail": {
      ".github/workflows/ci.yml": [CI, `${CI.replace("checkout@v4", "checkout@v5")}      - run: docker rm x || true\n`],
    },
    "a CI file that is no workflow changes": { ".circleci/config.yml": ["a", "b"], ".travis.yml": ["a: [", "a: {"] },
    "a conftest keeps reports and sorts": {
      "conftest.py": [
        "",
        'def pytest_runtest_makereport(item, call):\n    rep = yield\n    setattr(item, "rep_" + rep.when, rep)\n    if rep.outcome == "failed":\n        log()\n\ndef pytest_collection_modifyitems(items):\n    items[:] = sorted(items)\n',
      ],
    },
    "make gets targets, and one that now delegates": {
      Makefile: [
        MAKE,
        MAKE.replace("test: build\n\tgo test ./...", "test: build unit\n\nunit:\n\tgo test ./...").concat(
          "\nrun:\n\t-./a\n",
        ),
      ],
    },
    "tox gets an environment": { "tox.ini": [TOX, `${TOX}\n[testenv:lint]\n# only style\ncommands = ruff check\n`] },
    "tox moves to TOML": { "tox.ini": [TOX, undefined], "pyproject.toml": ["[project]\n", "[project]\n[tool.tox]\n"] },
    "a file that is no text changes": { "src/a.test.ts": [undefined, undefined], "logo.png": [undefined, undefined] },
    "sources and documents change": { "src/a.ts": ["a", "process.exit(0)"], "README.md": ["it.skip()", "it.only()"] },
  };

  test.each(Object.entries(cases))("%s", (_name, files) => {
    expect(judge(files)).toEqual([]);
  });

  test("single tests become a table, and the test program counts as many", () => {
    const after =
      'it.each([[1, 2, 3], [0, 0, 0], [3, -2, 1]])("adds", (a, b, c) => {\n  expect(add(a, b)).toBe(c);\n});\n';
    const changes: TextChange[] = [{ path: "a.test.ts", status: "modified", before: JS, after }];
    const counts = { total: 3, passed: 3, failed: 0, skipped: 0, source: "tap" as const };
    const testCounts = [{ name: "test", before: { ...counts, total: 2, passed: 2 }, after: counts }];
    expect(tamperFindings({ changes, protectedPaths: [], testCounts })).toEqual([]);
    expect(tamperFindings({ changes, protectedPaths: [] })).toHaveLength(1);
  });
});
