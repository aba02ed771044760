import { expect, test } from "vitest";
import { createWaitingScopes } from "./waiting-scopes.ts";

function waiting(...scopes: readonly string[]) {
  const all = createWaitingScopes();
  for (const scope of scopes) all.add(scope, scope);
  return all;
}

test("a step that starts later in the same scope, around it or inside it comes after", () => {
  for (const later of ["root/2.a", "root", "root/2.a/0.b", "root/3.c"]) {
    expect(waiting("root/2.a").takeBefore(later)).toEqual(["root/2.a"]);
  }
});

test("parallel branches are independent, and the rounds of a loop are sequential", () => {
  const beside = waiting("root/2.a", "root/2.b/0.c");
  expect(beside.takeBefore("root/2.d")).toEqual([]);
  expect(beside.takeBefore("root/2.b/1.e")).toEqual(["root/2.b/0.c"]);
  expect(waiting("root/2.round-1").takeBefore("root/2.round-2")).toEqual(["root/2.round-1"]);
  expect(beside.takeAll()).toEqual(["root/2.a"]);
});

test("taken entries are removed", () => {
  const all = waiting("root", "root/1.a");
  expect(all.takeBefore("root/2.b")).toEqual(["root", "root/1.a"]);
  expect([...all.takeBefore("root/2.b"), ...all.takeAll()]).toEqual([]);
});
