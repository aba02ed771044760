import { expect, test } from "vitest";
import type { Failure } from "../../core/failure/failure.ts";
import type { AgentEvent, Driver } from "../../core/ports/driver.ts";
import { addFixHints } from "./fix-hints.ts";

const failing = (failure: Failure): Driver => {
  const end: AgentEvent = { type: "turn.failed", failure };
  return {
    name: "claude",
    can: { schema: false, resume: false, cost: false, permissions: false, cancel: false },
    async *dispatch() {
      yield { type: "turn.started" };
      yield end;
    },
    adopt: async () => end,
  };
};

// Nothing is started: these drivers ignore both arguments.
const [order, processes] = [{} as never, {} as never];

const endOf = async (failure: Failure) => {
  const driver = addFixHints(failing(failure), () => "claude auth login");
  const events: AgentEvent[] = [];
  for await (const event of driver.dispatch(order, processes, new AbortController().signal)) events.push(event);
  expect(await driver.adopt(order, processes)).toEqual(events.at(-1));
  return events.at(-1);
};

test("the failure of an agent without login names the fix command", async () => {
  const failure = { class: "deterministic", code: "auth", message: "claude: Not logged in." } as const;
  const message = "claude: Not logged in. To fix it: claude auth login";
  expect(await endOf(failure)).toEqual({ type: "turn.failed", failure: { ...failure, message } });
});

test("a failure of the work is reported unchanged", async () => {
  const failure = { class: "transient", code: "agent_crashed", message: "claude left." } as const;
  expect(await endOf(failure)).toEqual({ type: "turn.failed", failure });
});
