import { describe, expect, test } from "vitest";
import { findWeakerCall, listCheckCalls } from "./check-call.ts";

const tools = (line: string) => listCheckCalls(line).map((call) => `${call.tool}${call.ignored ? " (ignored)" : ""}`);

test.each([
  ["vitest run", ["vitest"]],
  ["CI=1 npx -y ./node_modules/.bin/jest --ci", ["jest"]],
  ["tsc -p . && eslint . && c8 node --test", ["tsc", "eslint", "node --test"]],
  ["c8 --merge-async ava", ["ava"]],
  ["nyc --reporter text mocha", ["mocha"]],
  ["npx serve", []],
  ["make richtest", ["make richtest"]],
  ["node build.js", []],
  ["npm ci && npm run build && npm test", ["npm build", "npm test"]],
  ["yarn vitest", ["vitest"]],
  ["pnpm -r run test:unit", ["pnpm test:unit"]],
  ["python -m pytest -q", ["pytest"]],
  ["coverage run -m pytest", ["pytest"]],
  ["python3 setup.py install", []],
  ["python3", []],
  ["poetry run pytest", ["pytest"]],
  ["$(GO) test ./...", ["go test"]],
  ["@$(PYTHON) -m pytest", ["pytest"]],
  ["cargo clippy && cargo test", ["cargo clippy", "cargo test"]],
  ["go vet ./... && go mod tidy", ["go vet"]],
  ["make check", ["make check"]],
  ["npm run typecheck", ["npm typecheck"]],
  ["make", []],
  ["echo vitest", []],
  ["vitest run || true", ["vitest (ignored)"]],
  ["vitest run || exit 1", ["vitest"]],
  ["vitest run || cleanup", ["vitest"]],
  ["vitest run; exit 0", ["vitest (ignored)"]],
  ["vitest run; ./report", ["vitest"]],
  ["set +e\nvitest run", ["vitest (ignored)"]],
  ["vitest run | cat", ["vitest (ignored)"]],
  ["vitest run && echo ok", ["vitest"]],
  ["docker rm x || true; vitest run", ["vitest"]],
])("%j starts %j", (line, expected) => {
  expect(tools(line)).toEqual(expected);
});

describe("weaker", () => {
  test.each([
    ["vitest run", "vitest run || true", "the result of vitest is ignored"],
    ["tsc && vitest run", "vitest run", "tsc no longer runs"],
    ["vitest run", "node fake.js", "vitest no longer runs"],
    ["vitest run", "vitest run --exclude src/a.test.ts", "vitest runs with --exclude"],
    ["vitest run", "vitest run --passWithNoTests", "vitest runs with --passWithNoTests"],
    ["pytest", "pytest --deselect=tests/test_a.py::test_b", "pytest runs with --deselect"],
    ["pytest", "pytest -k 'not slow'", "pytest runs with -k"],
    ["go test ./...", "go test -run TestA ./...", "go test runs with -run"],
    ["mvn verify", "mvn verify -DskipTests=true", "mvn verify runs with -DskipTests"],
    ["npm test", "npm run lint", "npm test no longer runs"],
  ])("%j → %j: %s", (before, after, what) => {
    expect(findWeakerCall(listCheckCalls(before), listCheckCalls(after))).toBe(what);
  });
});

describe("not weaker", () => {
  test.each([
    ["vitest run", "vitest run --coverage"],
    ["jest", "vitest run"],
    ["eslint . && prettier --check .", "biome check ."],
    ["rimraf dist && tsc", "tsc"],
    ["vitest run || true", "vitest run"],
    ["vitest run || true", "vitest run || true"],
    ["vitest run --exclude a", "vitest run --exclude a --exclude b"],
    ["vitest run", "vitest run && vitest run -t smoke"],
    ["npm test", "npm run test:ci"],
    ["node build.js", "node other.js"],
  ])("%j → %j", (before, after) => {
    expect(findWeakerCall(listCheckCalls(before), listCheckCalls(after))).toBeUndefined();
  });
});
