import { expect, test } from "vitest";
import { classifyPath, isTestHelper, isTestWork } from "./exam-path.ts";

const KINDS = {
  exam: [
    "src/slug.test.ts",
    "src/__tests__/slug.js",
    "tests/test_slug.py",
    "pkg/slug_test.go",
    "crates/a/tests/all.rs",
    "src/test/java/SlugTest.java",
    "spec/slug_spec.rb",
    "index.test-d.ts",
    "vitest.config.ts",
    "vitest.e2e.config.mts",
    "packages/a/jest.config.cjs",
    "vite.config.ts",
    ".mocharc.yml",
    ".taprc",
    ".npmrc",
    ".yarnrc.yml",
    ".env.test",
    ".env.test.local",
    "babel.config.json",
    ".babelrc",
    ".swcrc",
    "tests/conftest.py",
    "pytest.ini",
    "tox.ini",
    ".coveragerc",
    "phpunit.xml.dist",
    ".cargo/config.toml",
    "Makefile",
    "justfile",
    "scripts/test.sh",
    "src/__snapshots__/a.test.ts.snap",
    "tap-snapshots/test/a.js.test.cjs",
    "src/api.golden",
    "out.approved.txt",
    "pkg/testdata/in.json",
    "__mocks__/fs.js",
    "sitecustomize.py",
    "pytest.py",
    "node_modules/.bin/vitest",
    "fakes/clock.test.js",
    "vendor/a/a_test.go",
    "dist/slug.spec.js",
    "src/mocks/test_clock.py",
    "unit/price_test.cpp",
    "unit/test_price.c",
    "lib/slug_test.exs",
    "Sources/SlugTests.swift",
    "lib/slug_test.dart",
    "unit/all.bats",
    "tests/__pycache__/test_price.cpython-311.pyc",
    "till/price.pyc",
  ],
  likely: [
    "test",
    "test/helper.ts",
    "tests/fixtures/in.json",
    "e2e/start.ts",
    "tests/fixtures/project/package.json",
    "spec/openapi.yaml",
    "src/test-report.ts",
    "src/weakened-tests.ts",
    "src/main/java/SpeedTest.java",
    "Shop.Tests/Orders.cs",
  ],
  mixed: [
    "package.json",
    "packages/a/package.json",
    "pyproject.toml",
    "setup.cfg",
    "src/lib.rs",
    "Cargo.toml",
    "pom.xml",
  ],
  support: [
    "src/testing/render.ts",
    "src/click/testing.py",
    "src/mocks/clock.ts",
    "src/plan.fixture.ts",
    "lib/test_support.rb",
  ],
  code: [
    "src/slug.ts",
    "src/latest/index.ts",
    "src/contest.py",
    "src/attestation/time.md",
    "tsconfig.json",
    ".env",
    "config/environment.ts",
    "src/integration/slack.ts",
    "babel/plugin.ts",
  ],
} as const;

test.each(Object.entries(KINDS).flatMap(([kind, paths]) => paths.map((path) => [path, kind] as const)))(
  "[A-26] %s is %s by its path",
  (path, kind) => {
    expect(classifyPath(path)).toBe(kind);
  },
);

test.each([
  "test/a.js",
  "tests/unit/test_a.py",
  "src/test/java/shop/PriceTest.java",
  "src/test/resources/prices.json",
  "packages/a/test/helper.js",
  "spec/models/user_spec.rb",
  "spec/support/factory.rb",
  "packages/a/spec/support/factory.rb",
  "src/pkg/tests/__init__.py",
  "crates/x/tests/common/mod.rs",
  "conftest.py",
  "src/pkg/conftest.py",
  "price_test.go",
  "src/price.test.ts",
  "src/__snapshots__/price.snap",
])("%s is work of whoever writes tests", (path) => {
  expect(isTestWork(path)).toBe(true);
});

test.each([
  "src/price.ts",
  "Makefile",
  "package.json",
  "vitest.config.ts",
  "packages/a/jest.config.js",
  ".npmrc",
  "src/spec/parser.ts",
  "src/main/java/shop/SpeedTest.java",
  "src/latest/index.ts",
])("%s is not", (path) => {
  expect(isTestWork(path)).toBe(false);
});

test("[A-40] a file that is written for a test program is a helper wherever it lies", () => {
  expect(isTestHelper("check/check.go", "func Equal(t *testing.T, got, want int) {}")).toBe(true);
  expect(isTestHelper("lib/same.js", 'import { expect } from "vitest";')).toBe(true);
  expect(isTestHelper("src/fee.js", 'import assert from "node:assert";')).toBe(false);
  expect(isTestHelper("till/price.py", "def total(items): pass")).toBe(false);
});
