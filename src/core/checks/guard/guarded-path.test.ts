import { expect, test } from "vitest";
import { selectGuardedPaths } from "./guarded-path.ts";

test("[A-25] files that control checks elsewhere are guarded", () => {
  const paths = [
    ".github/workflows/ci.yml",
    "src/a.ts",
    ".gitlab-ci.yml",
    ".signalbox/config.yaml",
    "docs/Jenkinsfile.md",
  ];
  expect(selectGuardedPaths(paths, [])).toEqual([
    ".github/workflows/ci.yml",
    ".gitlab-ci.yml",
    ".signalbox/config.yaml",
  ]);
});

test("[A-19] agent instructions are guarded at any depth", () => {
  const paths = ["AGENTS.md", "sub/.signalbox/config.yaml", "a/.claude/agents/x.md", "src/agents.md.ts"];
  expect(selectGuardedPaths(paths, [])).toEqual(paths.slice(0, 3));
  expect(selectGuardedPaths(paths, ["!**/AGENTS.md"])).toEqual(paths.slice(1, 3));
});

test("a team can say that some of it is free", () => {
  expect(selectGuardedPaths([".github/workflows/ci.yml", ".gitlab-ci.yml"], ["LICENSE", "!.github/**"])).toEqual([
    ".gitlab-ci.yml",
  ]);
});
