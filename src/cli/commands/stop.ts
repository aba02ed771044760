import { toOneLine } from "../../surfaces/terminal/clean-text.ts";
import { formatAgentName } from "../../views/agent-name.ts";
import type { Call } from "../call.ts";
import { stopAgent } from "../runs/control/stop-agent.ts";
import { findRun } from "../runs/find-run.ts";
import { withRunStore } from "../runs/run-store.ts";
import { getPersonName } from "../team/person.ts";

export type StopRequest = { readonly run: string; readonly agent: string; readonly note?: string };

export async function stopOneAgent(call: Call, { run, agent, note }: StopRequest): Promise<number> {
  return withRunStore(call, async (store) => {
    const row = await findRun(store.host, store.places.top, run);
    const ended = await stopAgent(store, row, {
      agent,
      by: getPersonName(store),
      ...(note === undefined ? {} : { note }),
    });
    const { key, attempt, outcome, failure } = ended;
    if (call.json) call.emit({ v: 1, run: row.id, key, attempt, outcome, failure: failure ?? null });
    else
      call.print(
        `${row.id}: ${formatAgentName(ended)} ${toOneLine(failure?.message ?? "was terminated with its run")}`,
      );
    return 0;
  });
}
