import { describe, expect, test } from "vitest";
import { cpuMs } from "../../../../test/support/cpu-clock.ts";
import {
  CI,
  GO,
  JAVA,
  JS,
  judge,
  MAKE,
  PACKAGE,
  PYTHON,
  pack,
  RUBY,
  RUST,
  type Sides,
  swap,
  TOX,
  VITEST,
} from "./tamper.fixture.ts";
import { checkTampering, type TextChange } from "./tamper.ts";

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
    "a new test is skipped from the start": [
      { "b.test.ts": [undefined, 'it.skip("a", () => expect(a).toBe(1));'] },
      "1 new mark",
    ],
    "a Rust test of its own file is ignored": [
      { "tests/shop.rs": ["#[test]\nfn a() {}", "#[test]\n#[ignore]\nfn a() {}"] },
      "#[ignore]",
    ],
    "a C# test is skipped": [
      { "ShopTests.cs": ["[Fact]\nvoid A() {}", '[Fact(Skip = "later")]\nvoid A() {}'] },
      "Skip =",
    ],
    "a PHP test is skipped": [
      { "tests/ShopTest.php": ["function testA() {\n}", "function testA() {\n  $this->markTestSkipped();\n}"] },
      "markTestSkipped",
    ],
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
    "Maven lets failures pass": [
      { "pom.xml": ["<configuration/>", "<testFailureIgnore>true</testFailureIgnore>"] },
      "failed or missing tests pass",
    ],
    "a CircleCI command ignores its result": [
      {
        ".circleci/config.yml": [
          "jobs:\n  t:\n    steps:\n      - run:\n          command: |\n            pytest\n",
          "jobs:\n  t:\n    steps:\n      - run:\n          command: |\n            pytest || true\n",
        ],
      },
      "the result of pytest is ignored",
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
    expect(checkTampering({ changes: [], protectedPaths: [], testCounts })).toEqual([
      { severity: "critical", message: "test collected 5 tests on the baseline and 4 now", by: "tamper" },
    ]);
  });

  test("a package whose text is withheld is not taken for unchanged", () => {
    const changes: TextChange[] = [{ path: "package.json", status: "modified", before: PACKAGE }];
    expect(checkTampering({ changes, protectedPaths: [] }).map((finding) => finding.message)).toEqual([
      "package.json can no longer be read",
    ]);
  });

  test("each match is a separate finding", () => {
    const found = judge({ "src/a.test.ts": [JS, undefined], "package.json": swap(PACKAGE, "vitest run", "true") });
    expect(found.map((finding) => finding.files)).toEqual([["src/a.test.ts"], ["package.json"]]);
  });
});

const HOSTILE = [
  "it.skip",
  "expect(",
  "assert a or ",
  "@skip",
  "  ",
  "cfg_attr(",
  '"a/',
  "exclude: [",
  "lines 1",
  "a:\n\tb\n",
];
const PATHS = ["a.test.ts", "conftest.py", "a_test.go", "tests/a.rs", "vitest.config.ts", "tox.ini", "Makefile"];

test.each(HOSTILE)("%j over and over takes time in proportion", (piece) => {
  const time = (size: number) => {
    const before = piece.repeat(size / piece.length);
    const changes = PATHS.map(
      (path): TextChange => ({ path, status: "modified", before, after: `${before}\n${piece}` }),
    );
    const start = cpuMs();
    checkTampering({ changes, protectedPaths: [] });
    return cpuMs() - start;
  };
  time(5000);
  const once = Math.min(time(10_000), time(10_000));
  // Quadratic reading would take 64 times as long. Times below some milliseconds only measure the clock.
  expect(Math.min(time(80_000), time(80_000))).toBeLessThan(32 * Math.max(once, 30));
});
