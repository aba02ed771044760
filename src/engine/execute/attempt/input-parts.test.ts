import { expect, test } from "vitest";
import { listLongParts, replaceInputParts } from "./input-parts.ts";

const LONG = "a sentence of the specification. ".repeat(40);

test("long parts without instructions become files, texts unchanged and the rest as YAML", () => {
  const parts = listLongParts({ request: LONG, spec: { must: [LONG] }, diff: LONG, focus: "short" });
  expect(parts.map(({ part, path }) => [part, path])).toEqual([
    ["spec", ".signalbox/input/spec.yaml"],
    ["diff", ".signalbox/input/diff.txt"],
  ]);
  expect(parts.at(1)?.text).toBe(LONG);
  expect(parts.at(0)?.text).toContain(LONG.trim());
});

test("task, findings and notes of people stay in the prompt, however long", () => {
  expect(listLongParts({ task: { id: LONG }, item: LONG, findings: [LONG], note: LONG, remarks: [LONG] })).toEqual([]);
});

test("of a part with orders in it only the long fields go", () => {
  const input = { snapshot: { architecture: LONG, request: "do it", progress: "begun" } };
  const parts = listLongParts(input);
  expect(parts.map(({ part }) => part)).toEqual(["snapshot.architecture"]);
  expect(replaceInputParts(input, parts)).toEqual({
    snapshot: { architecture: "in .signalbox/input/snapshot.architecture.txt", request: "do it", progress: "begun" },
  });
});

test("no name of a part leads out of the folder", () => {
  expect(listLongParts({ "../../etc/x": LONG })[0]?.path).toBe(".signalbox/input/..-..-etc-x.txt");
});
