import { expect, test } from "vitest";
import { PLAIN } from "../../surfaces/terminal/paint.ts";
import type { Call } from "../call.ts";
import type { RunStore } from "../runs/run-store.ts";
import { printProgress } from "./print-progress.ts";

test.each([
  ["prints which agents are running", false, ["… writer running for 1m 00s"]],
  ["emits no event with --json", true, []],
] as const)("a minute without records %s", (_what, json, said) => {
  const printed: string[] = [];
  let minute = (): void => {};
  // Only these members are used.
  const call = { json, paint: PLAIN, print: (line: string) => void printed.push(line.trim()) } as unknown as Call;
  const store = { world: { now: () => 60_000 } } as unknown as RunStore;
  const silence = printProgress(call, {
    ...store,
    run: "r",
    started: undefined,
    agents: () => [{ role: "writer", instance: "", attempt: 1, startedAt: 0, effect: "" }],
    later: (_ms, beat) => {
      minute = beat;
      return () => {};
    },
  });
  minute();
  silence.close();
  expect(printed).toEqual(said);
});
