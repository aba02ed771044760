import { expect, test } from "vitest";
import { hasPassword, hidePassword, redactPassword } from "./database-address.ts";

test("an address is printed without its password and options", () => {
  expect(hidePassword("postgres://ada:s%40fe@db.example:5433/team?password=other")).toBe(
    "postgres://ada@db.example:5433/team",
  );
  expect(hidePassword("postgres:///team?host=/run/postgresql")).toBe("postgres:///team");
  expect(hidePassword("ada:safe@nowhere")).not.toContain("safe");
});

test("a password in the address is seen, in either place", () => {
  expect(hasPassword("postgres://ada:safe@db/team")).toBe(true);
  expect(hasPassword("postgres://ada@db/team?password=safe")).toBe(true);
  expect(hasPassword("postgres://ada@db/team")).toBe(false);
  expect(hasPassword("ada:safe@nowhere at all")).toBe(true);
});

test("no form of the password stays in a text", () => {
  const text = "failed for postgres://ada:s%40fe@db/team: s@fe is wrong";
  expect(redactPassword(text, "postgres://ada:s%40fe@db/team")).toBe("failed for ***: *** is wrong");
});
