import { expect, test } from "vitest";
import { comparePlainRuns, createPlainFindings, parsePlainCommand } from "./plain-command.ts";

const [GREEN, RED] = [
  { exitCode: 0, ran: true },
  { exitCode: 1, ran: true },
];
const MISSING = { exitCode: 127, ran: false };

test.each([
  ["fails twice", [RED, RED]],
  ["cannot run", [MISSING, MISSING]],
])("[A-26] a command without tests that %s with the old exam is named", (_what, oldOnNew) => {
  const seen = comparePlainRuns({ name: "contract", old: [GREEN], oldOnNew, new: GREEN });
  expect(seen).toMatchObject({ verdict: "named", named: { unannounced: ["contract (the whole command)"] } });
  const [told] = createPlainFindings(seen, { back: ["a.json"], isFirst: true });
  expect(told?.message).toContain('"contract" passed on the old code and fails on the new one with a.json as it was.');
  expect(told?.message).toContain("It failed first");
  expect(parsePlainCommand(seen.named.unannounced[0] ?? "")).toBe("contract");
});

test("a command without tests that fails once and passes once is flaky", () => {
  const seen = comparePlainRuns({ name: "contract", old: [GREEN], oldOnNew: [RED, GREEN], new: GREEN });
  expect(seen).toMatchObject({ verdict: "clean", flaky: ["contract (the whole command)"] });
});

test.each([
  ["passes", [GREEN], [GREEN]],
  ["was red before", [RED], [RED]],
])("a command without tests that %s says nothing", (_what, old, oldOnNew) => {
  expect(comparePlainRuns({ name: "contract", old, oldOnNew, new: RED })).toMatchObject({
    verdict: "clean",
    flaky: [],
  });
});

test("[A-36] a command without tests that only the changed exam makes green is named", () => {
  const seen = comparePlainRuns({ name: "contract", old: [RED], oldOnNew: [RED, RED], new: GREEN });
  expect(seen).toMatchObject({ verdict: "named", edited: ["contract (the whole command)"] });
  const [told] = createPlainFindings(seen, { back: ["a.json"], isFirst: false });
  expect(told?.message).toContain('"contract" failed on the old code and fails on the new one with a.json as it was.');
  expect(comparePlainRuns({ name: "contract", old: [RED], oldOnNew: [GREEN], new: GREEN }).verdict).toBe("clean");
});
