import { expect, test } from "vitest";
import { isPartNeeded, splitSetup } from "./setup-parts.ts";

const PIP = "python3 -I -m venv .venv && .venv/bin/python -I -m pip install -e '.[a && b]' pytest";

test("a joined set-up is split by the folders that each part creates", () => {
  expect(splitSetup(`npm ci && ${PIP}`)).toEqual([
    { run: "npm ci", brings: ["node_modules"] },
    { run: PIP, brings: [".venv"] },
  ]);
  expect(splitSetup(`(cd web && npm ci) && ${PIP}`).map(({ run }) => run)).toEqual(["(cd web && npm ci)", PIP]);
});

test("a single step, or anything but a plain sequence, is not split", () => {
  for (const line of [
    PIP,
    "npm ci",
    "npm ci; uv sync",
    "export A=1 && npm ci && uv sync",
    "npm ci || npm i && uv sync",
  ])
    expect(splitSetup(line), line).toEqual([]);
});

test("a check skips a part only if all of its programs are known to be elsewhere", () => {
  const part = { run: PIP, brings: [".venv"] };
  expect(isPartNeeded("npm run lint", part)).toBe(false);
  for (const line of [".venv/bin/python -m pytest", "npm test && .venv/bin/x", "make test", "npm test; make"])
    expect(isPartNeeded(line, part), line).toBe(true);
});
