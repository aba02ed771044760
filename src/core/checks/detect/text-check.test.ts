import { expect, test } from "vitest";
import { isTextCheck } from "./text-check.ts";

test.each([
  ["lint", "biome check ."],
  ["lint", "NODE_ENV=test npx -y eslint ."],
  ["lint", "./node_modules/.bin/eslint ."],
  ["types", "python3 -m mypy ."],
  ["style", "cd web && npx eslint . && npx prettier --check ."],
  ["types", "tsc --noEmit -p ."],
  ["vet", "go vet ./..."],
  ["clippy", "cargo clippy"],
  ["fmt", "gofmt -l ."],
])("%s: %s reads sources only", (name, run) => {
  expect(isTextCheck({ name, run })).toBe(true);
});

test.each([
  ["build", "tsc -p ."],
  ["build", "npm run build"],
  ["contract", "node tools/contract.mjs"],
  ["audit", "go run ./cmd/audit"],
  ["all", "eslint . && node tools/contract.mjs"],
  ["test", "eslint ."],
  ["lint", "npm run lint"],
  ["lint", "make lint"],
  ["style", "make style"],
  ["lint", "./quality/eslint ."],
  ["lint", "npx ./contract.js eslint"],
  ["lint", "eslint $(node contract.js)"],
  ["lint", "NODE_OPTIONS=--import=contract eslint ."],
  ["types", "tsd"],
])("%s: %s may say how the product behaves", (name, run) => {
  expect(isTextCheck({ name, run })).toBe(false);
});

const SCRIPTS = {
  lint: "eslint . && npm run -s format",
  format: "prettier --check .",
  types: "tsc --noEmit",
  posttypes: "node contract.js",
  style: "npm run style",
  quality: "eslint . && node contract.js",
};

test("a script only reads sources if every script that it calls does", () => {
  const reads = (run: string) => isTextCheck({ name: "lint", run }, SCRIPTS);
  expect(["npm run lint", "pnpm lint", "yarn run lint", "yarn eslint", "npm run lint -- --fix"].map(reads)).toEqual(
    Array(5).fill(true),
  );
});

test.each([
  "npm run types",
  "npm run style",
  "npm run quality",
  "npm run gone",
  "npm run lint --workspaces",
  "npm -w core run lint",
  "cd core && npm run lint",
  "pnpm -r lint",
  "yarn contract",
])("[A-26] %s may say how the product behaves", (run) => {
  expect(isTextCheck({ name: "lint", run }, SCRIPTS)).toBe(false);
});
