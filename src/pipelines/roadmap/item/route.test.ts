import { expect, it } from "vitest";
import { getRoute } from "./route.ts";

const ALL = ["simple", "medium", "complex"] as const;

it("[R-05] a simple item is built, tested and reviewed", () => {
  expect(getRoute({ title: "x", complexity: "simple" })).toEqual(["Implement", "Testing", "Review"]);
});

it("[R-06] a medium item is researched and designed first", () => {
  const route = ["Research", "Architect (design)", "Implement", "Testing", "Review"];
  expect(getRoute({ title: "x", complexity: "medium" })).toEqual(route);
});

it("[R-07] a complex item is also validated between implementation and testing", () => {
  const route = ["Research", "Architect (design)", "Implement", "Architect (validation)", "Testing", "Review"];
  expect(getRoute({ title: "x", complexity: "complex" })).toEqual(route);
});

it("[R-10] a design item is the Architect's alone, whatever its complexity", () => {
  for (const complexity of ALL) {
    expect(getRoute({ title: "Architect (design)", complexity })).toEqual(["Architect (design)"]);
  }
});

it("[R-11] a scaffold item is built, tested and reviewed, whatever its complexity", () => {
  for (const complexity of ALL) {
    expect(getRoute({ title: "Scaffold project from ADR", complexity })).toEqual(["Implement", "Testing", "Review"]);
  }
});

it.each(["Architect (Design)", "architect (design)", "Architect (design) of the store", "Scaffold project from ADR 2"])(
  "[R-41] %s is an ordinary title",
  (title) => {
    expect(getRoute({ title, complexity: "complex" })).toHaveLength(6);
  },
);

it("[R-41] spaces around a greenfield title do not matter", () => {
  expect(getRoute({ title: "  Architect (design)\n", complexity: "medium" })).toHaveLength(1);
  expect(getRoute({ title: " Scaffold project from ADR ", complexity: "medium" })).toHaveLength(3);
});
