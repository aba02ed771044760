import { expect, test } from "vitest";
import { listStartedPrograms } from "./started-programs.ts";

test.each([
  ["npm ci", ["npm"]],
  ["cd web && npm ci", ["npm"]],
  ["CI=1 npm test", ["npm"]],
  ["./gradlew test", ["java"]],
  [
    "npm ci && (cd py && python3 -m venv .venv && .venv/bin/python -m pip install x) && (cd go && go mod download)",
    [...["npm", "python3", "go"]],
  ],
  ["npm ci && bundle config set --local path vendor/bundle && bundle install", ["npm", "bundle"]],
  ["npm install --prefix .tools pnpm@10 && PATH=$PWD/.tools/node_modules/.bin:$PATH pnpm install", ["npm"]],
])("%s starts what is looked for on the PATH", (line, programs) => {
  expect(listStartedPrograms(line)).toEqual(programs);
});

test.each([
  ["PATH=$PWD/bin:$PATH tool", []],
  ["export PATH=$PWD/bin:$PATH && tool", []],
  ["./tools/prepare && go test", []],
  ["npm install -g pnpm@10 && pnpm install", ["npm"]],
  ["python3 -m pip install uv && uv sync", ["python3"]],
  ["corepack enable && pnpm install", ["corepack"]],
  ["command -v go || ./get-go", []],
  ["go version || cargo test", ["go"]],
  ["if test -x a; then go test; fi", []],
])("%s: what something before it may bring is not taken for missing", (line, programs) => {
  expect(listStartedPrograms(line)).toEqual(programs);
});
