import { basename } from "node:path";
import { readJournalPages } from "../../../core/journal/journal-pages.ts";
import type { RunRow } from "../../../core/ports/host.ts";
import type { AgentActivity, LiveState } from "../../../views/page/live-state.ts";
import type { Forecast, RunPage } from "../../../views/page/page.ts";
import { createPageFold } from "../../../views/page/page-fold.ts";
import type { Presence } from "../../../views/run-status-text.ts";
import type { RunView } from "../../../views/run-view.ts";
import { computeForecast } from "../../start/forecast.ts";
import { collectPresence } from "../presence.ts";
import type { RunStore } from "../run-store.ts";
import { readLastActions } from "./last-actions.ts";

/** Returns a run's view, page and presence. `forecast` is as in `collectAround`. */
export async function loadRunPage(store: RunStore, row: RunRow, forecast?: Forecast | null): Promise<LoadedRunPage> {
  const fold = createPageFold(["phase"]);
  for await (const records of readJournalPages(store.host.journal, row.id))
    for (const record of records) fold.take(record);
  const view = fold.view();
  const around = await collectAround(store, row, view, forecast);
  return { view, page: fold.page(around), presence: around.presence };
}

type LoadedRunPage = { readonly view: RunView; readonly page: RunPage; readonly presence: Presence };

/**
 * Returns facts about the run that are not in its journal. Pass `forecast` if it is known, because it does not change
 * while a run continues.
 */
export async function collectAround(
  store: RunStore,
  row: RunRow,
  view: RunView,
  forecast?: Forecast | null,
): Promise<LiveState> {
  // An incomplete page is better than none.
  await store.team?.bring(row.id).catch(() => undefined);
  const [presence, signs] = [await collectPresence(store, row, view), await collectSignsOfLife(store, row, view)];
  return {
    presence,
    repository: basename(store.places.top),
    forecast: forecast === undefined ? await forecastRun(store, row) : forecast,
    signs,
  };
}

/** Forecasts from finished runs of the same pipeline in this repository, without this run. */
export async function forecastRun({ host }: RunStore, { id, repo, pipeline }: RunRow): Promise<Forecast | null> {
  const found = await computeForecast(host, { repo, pipeline, without: id });
  if (!found) return null;
  const { runs, dispatches, timeMs } = found;
  return { runs, dispatches: [dispatches.least, dispatches.most], ms: [timeMs.least, timeMs.most] };
}

async function collectSignsOfLife(
  store: RunStore,
  { id, pipeline }: RunRow,
  { agents }: Pick<RunView, "agents">,
): Promise<ReadonlyMap<string, AgentActivity>> {
  if (agents.length === 0) return new Map();
  const { addIdleTimes } = await import("../../project/idle-times.ts");
  const [seen, actions] = await Promise.all([
    addIdleTimes(store, { run: id, pipeline }, agents),
    readLastActions(store, id, agents),
  ]);
  return new Map(
    seen.map(({ effect, silence = null }) => [effect, { silence, lastAction: actions.get(effect) ?? null }]),
  );
}
