import { expect, it } from "vitest";
import { commandsOf, verificationOf } from "./verification.ts";

const KNOWN = { test: "npm test", lint: "npm run lint", build: "npm run build" };
const item = (...verification: string[]) => ({ verification });

it("[R-38] runs only what the configuration knows, by name, as typed, or in backticks", () => {
  expect(commandsOf(item("npm test", "`npm run lint`", "rm -rf /", "npm test -- --force"), KNOWN)).toEqual([
    "test",
    "lint",
  ]);
  expect(commandsOf(item(" build "), KNOWN)).toEqual(["build"]);
  expect(commandsOf(item("the page looks right"), KNOWN)).toEqual([]);
});

it("[R-38] lists the others as not run", () => {
  expect(verificationOf(item("npm test", "the page looks right"), KNOWN)).toEqual({
    ran: [],
    notRun: ["the page looks right"],
  });
});

it("[R-38] knows a script by its short form, and no other command by it", () => {
  const found = { test: "npm run test", build: "npm run build" };
  expect(commandsOf(item("npm test"), found)).toEqual(["test"]);
  expect(commandsOf(item("npm run test"), { test: "npm test" })).toEqual(["test"]);
  expect(commandsOf(item("yarn lint"), { lint: "yarn run lint" })).toEqual(["lint"]);
  expect(commandsOf(item("npm build", "npm test x", "bun test"), { ...found, bun: "bun run test" })).toEqual([]);
});
