import { expect, test } from "vitest";
import { parseSignal } from "./parse-signal.ts";

const CANCEL = { kind: "cancel", by: "ada" } as const;

test.each(["null", "garbage", "", "7", "[]", "{}", '{"kind":"burn","by":"ada"}', '{"kind":"answer","by":"ada"}'])(
  "%s is not a valid signal and is returned as dropped",
  (text) => {
    expect(parseSignal(text, "eve")).toEqual({ kind: "dropped", of: "letter", by: "eve", why: "it cannot be read" });
  },
);

test("an invalid limit or configuration makes the whole signal invalid", () => {
  for (const part of [{ limits: { usd: -1 } }, { config: { commands: "none" } }])
    expect(parseSignal(JSON.stringify({ kind: "resume", by: "ada", ...part }))).toMatchObject({ kind: "dropped" });
});

test.each([
  CANCEL,
  { kind: "pause", by: "ada", note: "later" },
  { kind: "stop", effect: "r/a@1", by: "ada" },
  { kind: "answer", approval: "q", choice: "yes", hash: "h", by: "ada" },
  { kind: "resume", approval: "q", limits: { usd: 2 }, config: { commands: [{ name: "t", run: "t" }] }, by: "ada" },
])("a posted signal is parsed unchanged: %j", (letter) => {
  expect(parseSignal(JSON.stringify(letter))).toEqual(letter);
});
