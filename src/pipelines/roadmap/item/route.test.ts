import { expect, it } from "vitest";
import { routeOf } from "./route.ts";

const ALL = ["simple", "medium", "complex"] as const;

it("[R-05] a simple item is built, tested and reviewed", () => {
  expect(routeOf({ title: "x", complexity: "simple" })).toEqual(["Implement", "Testing", "Review"]);
});

it("[R-06] a medium item is researched and designed first", () => {
  const route = ["Research", "Architect (design)", "Implement", "Testing", "Review"];
  expect(routeOf({ title: "x", complexity: "medium" })).toEqual(route);
});

it("[R-07] a complex item is also validated between implementation and testing", () => {
  const route = ["Research", "Architect (design)", "Implement", "Architect (validation)", "Testing", "Review"];
  expect(routeOf({ title: "x", complexity: "complex" })).toEqual(route);
});

it("[R-10] a design item is the Architect's alone, whatever its complexity", () => {
  for (const complexity of ALL) {
    expect(routeOf({ title: "Architect (design)", complexity })).toEqual(["Architect (design)"]);
  }
});

it("[R-11] a scaffold item is built, tested and reviewed, whatever its complexity", () => {
  for (const complexity of ALL) {
    expect(routeOf({ title: "Scaffold project from ADR", complexity })).toEqual(["Implement", "Testing", "Review"]);
  }
});

it.each(["Architect (Design)", "architect (design)", "Architect (design) of the store", "Scaffold project from ADR 2"])(
  "[R-41] %s is an ordinary title",
  (title) => {
    expect(routeOf({ title, complexity: "complex" })).toHaveLength(6);
  },
);

it("[R-41] spaces around a greenfield title do not matter", () => {
  expect(routeOf({ title: "  Architect (design)\n", complexity: "medium" })).toHaveLength(1);
  expect(routeOf({ title: " Scaffold project from ADR ", complexity: "medium" })).toHaveLength(3);
});
