import { expect, test } from "vitest";
import { needsPart, setupParts } from "./setup-parts.ts";

const PIP = "python3 -I -m venv .venv && .venv/bin/python -I -m pip install -e '.[a && b]' pytest";

test("a joined set-up comes apart by what each part brings", () => {
  expect(setupParts(`npm ci && ${PIP}`)).toEqual([
    { run: "npm ci", brings: ["node_modules"] },
    { run: PIP, brings: [".venv"] },
  ]);
  expect(setupParts(`(cd web && npm ci) && ${PIP}`).map(({ run }) => run)).toEqual(["(cd web && npm ci)", PIP]);
});

test("what is one thing, or more than one thing after the other, stays whole", () => {
  for (const line of [
    PIP,
    "npm ci",
    "npm ci; uv sync",
    "export A=1 && npm ci && uv sync",
    "npm ci || npm i && uv sync",
  ])
    expect(setupParts(line), line).toEqual([]);
});

test("a check does without a part only where all of its programs are known to live elsewhere", () => {
  const part = { run: PIP, brings: [".venv"] };
  expect(needsPart("npm run lint", part)).toBe(false);
  for (const line of [".venv/bin/python -m pytest", "npm test && .venv/bin/x", "make test", "npm test; make"])
    expect(needsPart(line, part), line).toBe(true);
});
