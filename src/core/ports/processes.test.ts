import { expect, test } from "vitest";
import { AGENT_SETTINGS, listProtectedSettings } from "./processes.ts";

test("an agent can write a build server's file where its task names it, and no other settings", () => {
  const others = AGENT_SETTINGS.filter((path) => path !== ".github/workflows");
  expect(listProtectedSettings(["src/a.js", ".github/workflows/ci.yml"])).toEqual(others);
  expect(listProtectedSettings(["./.github/workflows/ci.yml", ".claude/settings.json"])).toEqual(others);
});

test("a glob names no file: settings stay as they are", () => {
  for (const writes of [undefined, [], ["**"], [".github/**"], [".github/workflows/*.yml"], ["!.github/workflows/a"]]) {
    expect(listProtectedSettings(writes)).toEqual(AGENT_SETTINGS);
  }
});
