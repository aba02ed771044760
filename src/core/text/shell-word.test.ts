import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { quoteShellWord } from "./shell-word.ts";

test.each(["accept", "run again", "*=codex", "/tmp/a b.json", 'it\'s $HOME `id` \\ "x"!', ""])(
  "a shell takes %j back as one word",
  (text) => {
    expect(execFileSync("sh", ["-c", `printf %s ${quoteShellWord(text)}`], { encoding: "utf8" })).toBe(text);
  },
);

test("a plain word is not quoted", () => {
  expect(["role=driver:model", "/tmp/agents.json"].map(quoteShellWord)).toEqual([
    "role=driver:model",
    "/tmp/agents.json",
  ]);
});
