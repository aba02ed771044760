import { expect, test } from "vitest";
import { joinRenames } from "./renames.ts";
import type { TextChange } from "./text-change.ts";

const text = (...names: string[]) => names.map((name) => `call(${name});`).join("\n");
const went = (path: string, before?: string): TextChange => ({ path, status: "deleted", before });
const came = (path: string, after?: string): TextChange => ({ path, status: "added", after });
const anywhere = () => true;

test("a file that went and its like that came are one", () => {
  const changes = [went("a", text("1", "2", "3")), came("b", text("1", "2", "4"))];
  expect(joinRenames(changes, anywhere)).toEqual([
    { path: "b", status: "modified", before: text("1", "2", "3"), after: text("1", "2", "4") },
  ]);
});

test("the most similar file is joined, each only once", () => {
  const changes = [
    went("a", text("1", "2")),
    went("b", text("1", "2")),
    came("c", text("1", "3")),
    came("d", text("1", "2")),
  ];
  expect(joinRenames(changes, anywhere).map(({ path, before }) => [path, before])).toEqual([
    ["c", text("1", "2")],
    ["d", text("1", "2")],
  ]);
});

test.each<[string, readonly TextChange[]]>([
  ["too little is shared", [went("a", text("1", "2", "3")), came("b", text("1", "4", "5"))]],
  ["a text is missing", [went("a"), came("b", text("1"))]],
  ["the other text is missing", [went("a", text("1")), came("b")]],
  ["there is nothing to compare", [went("a", "}\n"), came("b", "{\n")]],
])("where %s they stay apart", (_name, changes) => {
  expect(joinRenames(changes, anywhere)).toEqual(changes);
});

test("a path that cannot stand for the other is none", () => {
  const changes = [went("a", text("1")), came("b", text("1"))];
  expect(joinRenames(changes, () => false)).toEqual(changes);
});

test("in a change of very many files only equal texts are one", () => {
  const changes = Array.from({ length: 60 }, (_, at) => [
    went(`a${at}`, text(`${at}`, "x", "y")),
    came(`b${at}`, at % 2 === 0 ? text(`${at}`, "x", "y") : text(`${at}`, "x", "z")),
  ]).flat();
  expect(joinRenames(changes, anywhere).filter((change) => change.status === "modified")).toHaveLength(30);
});
