import { expect, test } from "vitest";
import { mergeDuplicates } from "./duplicates.ts";

const one = { severity: "minor", message: "An empty name is greeted", files: ["a.ts"], by: "sentinel" } as const;

test("two equal findings become one with the higher severity, both authors, all files and the longer text", () => {
  const two = {
    severity: "major",
    message: "an empty name is greeted as well",
    files: ["a.ts", "b.ts"],
    by: "verifier",
  };
  expect(mergeDuplicates([one, { ...two, severity: "major" }])).toEqual([
    { severity: "major", message: two.message, files: ["a.ts", "b.ts"], by: "sentinel, verifier" },
  ]);
});

test("equal text about different files, and different text about one file, are two findings", () => {
  const elsewhere = { ...one, files: ["c.ts"] };
  const other = { ...one, message: "the name is not escaped" };
  expect(mergeDuplicates([one, elsewhere, other])).toEqual([one, elsewhere, other]);
});

test("names of tests and output stay with the finding they support", () => {
  const seen = { ...one, tests: ["greets"], output: "expected Ada" };
  expect(mergeDuplicates([one, seen])).toMatchObject([{ tests: ["greets"], output: "expected Ada" }]);
});

test("text that only one of two similar findings contains is kept", () => {
  const throws = { ...one, message: "taking from an empty queue throws" };
  const [both, ...more] = mergeDuplicates([throws, { ...one, message: "taking from an empty queue hangs the caller" }]);
  expect(more).toEqual([]);
  expect(both?.message).toBe("taking from an empty queue hangs the caller; or: taking from an empty queue throws");
});
