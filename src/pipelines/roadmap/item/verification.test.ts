import { expect, it } from "vitest";
import { describeVerification, listNamedCommands } from "./verification.ts";

const KNOWN = { test: "npm test", lint: "npm run lint", build: "npm run build" };
const item = (...verification: string[]) => ({ verification });

it("[R-38] an item names configured commands by name, by text, or in backticks", () => {
  expect(listNamedCommands(item("npm test", "`npm run lint`", "rm -rf /", "npm test -- --force"), KNOWN)).toEqual([
    "test",
    "lint",
  ]);
  expect(listNamedCommands(item(" build "), KNOWN)).toEqual(["build"]);
  expect(listNamedCommands(item("the page looks right"), KNOWN)).toEqual([]);
});

it("[A-25] every command that ran is listed, and those that the item names are marked", () => {
  const check = (name: string, passed: boolean) => ({
    name,
    passed,
    exitCode: passed ? 0 : 1,
    snippet: "",
    outcome: passed ? ("passed" as const) : ("failed" as const),
  });
  const evidence = {
    tree: "t",
    passed: false,
    checks: [check("test", true), check("lint", false), check("scope", true)],
    regressions: [],
    tamper: [],
    findings: [],
    notRun: [],
  };
  expect(describeVerification(item("npm test"), KNOWN, evidence).ran).toEqual([
    { command: "npm test", passed: true, named: true },
    { command: "npm run lint", passed: false },
  ]);
});

it("[R-38] lists the others as not run", () => {
  expect(describeVerification(item("npm test", "the page looks right"), KNOWN)).toEqual({
    ran: [],
    notRun: ["the page looks right"],
  });
});

it("[R-38] matches a script by its short form, and no other command", () => {
  const found = { test: "npm run test", build: "npm run build" };
  expect(listNamedCommands(item("npm test"), found)).toEqual(["test"]);
  expect(listNamedCommands(item("npm run test"), { test: "npm test" })).toEqual(["test"]);
  expect(listNamedCommands(item("yarn lint"), { lint: "yarn run lint" })).toEqual(["lint"]);
  expect(listNamedCommands(item("npm build", "npm test x", "bun test"), { ...found, bun: "bun run test" })).toEqual([]);
});
