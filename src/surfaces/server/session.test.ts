import { expect, test } from "vitest";
import { createFailureLimit } from "./failure-limit.ts";
import { createSession } from "./session.ts";

const TOKEN = "a".repeat(43);

test("a code is exchanged for the token once, within five minutes", () => {
  let now = 0;
  const session = createSession({ token: TOKEN, now: () => now });
  const [first, second, third] = [session.newCode(), session.newCode(), session.newCode()];
  expect(session.exchange(first)).toBe(TOKEN);
  expect(session.exchange(first)).toBeUndefined();
  expect(session.exchange("another")).toBeUndefined();
  now = 299_999;
  expect(session.exchange(second)).toBe(TOKEN);
  now = 300_001;
  expect(session.exchange(third)).toBeUndefined();
  expect(new Set([first, second, third, TOKEN]).size).toBe(4);
});

test("of many unused codes only the newest are valid", () => {
  const session = createSession({ token: TOKEN, now: () => 0 });
  const codes = Array.from({ length: 30 }, () => session.newCode());
  expect(session.exchange(codes[0] ?? "")).toBeUndefined();
  expect(session.exchange(codes[29] ?? "")).toBe(TOKEN);
});

test("a client that guesses more than ten times per minute gets no information until the minute is over", () => {
  let now = 0;
  const failures = createFailureLimit(() => now);
  for (let n = 0; n < 10; n++) expect(failures.add()).toBe(false);
  expect(failures.add()).toBe(true);
  now = 60_001;
  expect(failures.add()).toBe(false);
});
