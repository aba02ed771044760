import { expect, test } from "vitest";
import { measure, promptOf, talk } from "./talkative.ts";

test("no prompt contains a text twice", async () => {
  const { sent } = await talk({ design: true, verification: true, code: true });
  for (const request of sent) {
    // A change repeats text that the code repeats.
    const said = promptOf({ ...request, input: { ...(request.input as object), diff: "" } });
    const lines = said.split("\n").map((line) => line.trim().replace(/^- /, ""));
    const long = lines.filter((line) => line.length >= 60);
    expect(long.filter((line, at) => long.indexOf(line) !== at)).toEqual([]);
  }
});

test("a run with one failure of each kind ends well, and every role's inputs stay within bounds", async () => {
  const played = await talk({ design: true, verification: true, code: true });
  expect(played).toMatchObject({ status: "done", exit: 0 });
  expect(measure(played).dispatches).toBe(29);
  const sizes = played.sent.map((request) => promptOf(request).length);
  expect(Math.max(...sizes)).toBeLessThan(16_000);
});

test("a plain run takes seventeen dispatches, a short one nine", async () => {
  const straight = measure(await talk());
  const short = measure(await talk({}, { input: { depth: "short" } }));
  expect([straight.dispatches, short.dispatches]).toEqual([17, 9]);
  expect(short.characters).toBeLessThan(0.65 * straight.characters);
});
