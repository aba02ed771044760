import { expect, test } from "vitest";
import { guardedAmong } from "./guarded-path.ts";

test("[A-25] what decides about checks elsewhere is guarded", () => {
  const paths = [
    ".github/workflows/ci.yml",
    "src/a.ts",
    ".gitlab-ci.yml",
    ".signalbox/config.yaml",
    "docs/Jenkinsfile.md",
  ];
  expect(guardedAmong(paths, [])).toEqual([".github/workflows/ci.yml", ".gitlab-ci.yml", ".signalbox/config.yaml"]);
});

test("a team can say that some of it is free", () => {
  expect(guardedAmong([".github/workflows/ci.yml", ".gitlab-ci.yml"], ["LICENSE", "!.github/**"])).toEqual([
    ".gitlab-ci.yml",
  ]);
});
