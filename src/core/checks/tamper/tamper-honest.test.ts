import { describe, expect, test } from "vitest";
import {
  CI,
  GO,
  JS,
  judge,
  MAKE,
  PACKAGE,
  PYTHON,
  pack,
  RUST,
  type Sides,
  swap,
  TOX,
  VITEST,
} from "./tamper.fixture.ts";
import { checkTampering, type TextChange } from "./tamper.ts";

/** Ten lists, each ten times as long as the previous one. */
const EXPLODING = Array.from({ length: 10 }, (_, at) => {
  const inner = at === 0 ? "x" : `*a${at - 1}`;
  return `l${at}: &a${at} [${Array(10).fill(inner).join(", ")}]\n`;
}).join("");

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
      "src/b.test.ts": [undefined, JS.replace("add(1, 0)", "1").replace("adds", "adds up")],
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
    "a helper of tests is deleted": { "tests/helpers.ts": ["export const one = 1;", undefined] },
    "a Makefile comes": { Makefile: [undefined, MAKE] },
    "tox comes": { "tox.ini": [undefined, TOX] },
    "a package without scripts gets some": { "package.json": ["{}", PACKAGE] },
    "a comment in pom.xml speaks of skipping": { "pom.xml": ["<a/>", "<!-- <skipTests>true</skipTests> --><a/>"] },
    "a CI list holds more than commands": {
      ".gitlab-ci.yml": ["t:\n  script:\n    - pytest\n", "t:\n  script:\n    - [a]\n    - pytest\n"],
    },
    "a CI file is nested beyond reading": { ".travis.yml": ["a: 1", "[".repeat(20_000)] },
    "a CI file explodes when it is read": {
      ".travis.yml": ["a: 1", `${EXPLODING}last: [*a9]\n`],
    },
    "a CI file is too long to be one": { ".travis.yml": ["a: 1", "#".repeat(300_000)] },
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
    expect(checkTampering({ changes, protectedPaths: [], testCounts })).toEqual([]);
    expect(checkTampering({ changes, protectedPaths: [] })).toHaveLength(1);
  });
});
