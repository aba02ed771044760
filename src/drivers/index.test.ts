import { expect, test } from "vitest";
import { GOOSE } from "./acp/profiles/goose.ts";
import { CLAUDE } from "./claude/index.ts";
import { AGENT_PROGRAMS, DRIVERS, listDriverProblems, selectDriver } from "./index.ts";

const PARTS = { limits: {}, user: { home: "/home", env: {} }, logins: [], mailbox: "/mailbox", contained: false };

test("every driver has its own name, which identifies its dispatches", async () => {
  const names = DRIVERS.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const driver of DRIVERS) {
    const made = driver.ofArgv ? driver.ofArgv(["some-agent"]) : driver;
    expect((await made.create(PARTS)).name).toBe(driver.ofArgv ? "some-agent" : driver.name);
  }
});

test("a program that is offered documents its login and the variables it may see", () => {
  for (const { logIn, variables } of AGENT_PROGRAMS) {
    expect(logIn).toMatch(/./);
    expect(variables?.({ env: {} })).not.toEqual([]);
  }
});

test("configured fields of a program override the built-in ones", () => {
  expect(selectDriver("goose", undefined)).toBe(GOOSE);
  expect(selectDriver("goose", { args: ["acp", "--quiet"] })).toMatchObject({
    install: GOOSE.install,
    words: ["goose", "acp", "--quiet"],
  });
});

test("if a configuration starts another program, the built-in install command does not apply", () => {
  const other = selectDriver("goose", { command: "/opt/goose" });
  expect(other).toMatchObject({ name: "goose", program: "/opt/goose" });
  expect(other?.install).toBeUndefined();
  expect(other?.tried).toBeUndefined();
});

test("a driver without a profile has none to change, and a custom program needs a command", () => {
  expect(selectDriver("claude", { command: "x" })).toBe(CLAUDE);
  expect(selectDriver("mine", { command: "my-agent" })).toMatchObject({ name: "mine", program: "my-agent" });
  expect(selectDriver("mine", {})).toBeUndefined();
  expect(listDriverProblems("mine", {}).map(({ path }) => path)).toEqual([["command"]]);
  expect(selectDriver("mine", undefined)).toBeUndefined();
  expect(selectDriver("command", { command: "my-agent" })).toMatchObject({ name: "command", program: "my-agent" });
});
