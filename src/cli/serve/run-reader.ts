import type { RunReader } from "../../surfaces/server/port/port.ts";
import { buildCostReport } from "../../views/page/cost.ts";
import { toEvent } from "../runs/run-store.ts";
import { readContract, readPrompt, readTranscript } from "./attempt-texts.ts";
import { readCheckOutput } from "./check-text.ts";
import { readRunDiff } from "./diff-files.ts";
import type { FollowedRuns } from "./followed-runs.ts";
import { readGateRules } from "./gate-rules.ts";
import type { RunFinder } from "./run-finder.ts";
import { createWatches } from "./watches.ts";

/** Reads all details of a run with the same functions as the commands. */
export function createRunReader(find: RunFinder, followed: FollowedRuns, closed: AbortSignal): RunReader {
  const loadPage = async (run: string) => {
    const here = await find(run);
    return { store: here.store, page: await followed.page(here) };
  };
  return {
    page: async (run) => followed.page(await find(run)),
    changes: async (run, after) => followed.changes(await find(run), after),
    watch: createWatches((run) => async (changed, signal) => followed.watch(await find(run), changed, signal), closed),
    async events(run, from) {
      const { store } = await find(run);
      const records = await store.host.journal.page(run, from);
      return { records: records.map(toEvent), last: records.at(-1)?.seq ?? from.after };
    },
    transcript: async (run, { effect, after }) => readTranscript({ ...(await loadPage(run)), effect }, after),
    prompt: async (run, effect) => readPrompt({ ...(await loadPage(run)), effect }),
    contract: async (run, of) => readContract({ ...(await loadPage(run)), ...of }),
    output: async (run, seq) => readCheckOutput(await find(run), seq),
    async diff(run, asked) {
      const here = await find(run);
      return readRunDiff(here, await followed.view(here), asked);
    },
    async gate(run, key) {
      const { store, page } = await loadPage(run);
      return readGateRules({ top: store.places.top, page, key });
    },
    cost: async (run) => buildCostReport((await loadPage(run)).page),
  };
}
