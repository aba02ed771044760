import { setTimeout as wait } from "node:timers/promises";
import type { World } from "../../core/ports/world.ts";
import { DRIVERS } from "../../drivers/index.ts";
import type { Home, PipelineInput } from "../../surfaces/server/port/documents.ts";
import type { ServerPort } from "../../surfaces/server/port/port.ts";
import { resolvePlaces } from "../project/repository.ts";
import { queryRuns } from "../runs/query-runs.ts";
import { runOwnCommand } from "../start/own-command.ts";
import { resolveTeam } from "../team/team.ts";
import { requireCaller } from "../trust/callers.ts";
import { createRunControl } from "./control.ts";
import { createFollowedRuns } from "./followed-runs.ts";
import { createHomeLists, type HomeLists } from "./home-lists.ts";
import { createQuestionReader } from "./question-reader.ts";
import { createRunFinder, findRepository } from "./run-finder.ts";
import { createRunReader } from "./run-reader.ts";
import { createStores } from "./stores.ts";
import { createWatches, type Watcher } from "./watches.ts";

const LOOK_MS = 1_000;

export type ServerPortParts = { readonly world: World; readonly version: string; failed(error: unknown): void };

/** Implements the server's port over all repositories of this user. */
export function createServerPort({ world, version, failed }: ServerPortParts): ServerPort & { close(): Promise<void> } {
  const stores = createStores(world);
  const followed = createFollowedRuns();
  const find = createRunFinder(stores);
  const lists = createHomeLists(stores, followed);
  const questions = createQuestionReader({ stores, followed, find });
  const closing = new AbortController();
  const watchHome = createWatches(() => createHomeWatcher(lists), closing.signal);
  return {
    version,
    failed,
    now: world.now,
    redact: world.redact,
    home: () => lists.home(version),
    watchHome: (changed) => watchHome("home", changed),
    runs: createRunReader(find, followed, closing.signal),
    control: createRunControl({ stores, find, changed: lists.forget }),
    questions: lists.questions,
    question: questions.question,
    async answer(id, given) {
      // The server was started by a person. Whether it still acts for one is checked as for the command.
      await requireCaller({ command: "approve", dir: process.cwd() });
      return questions.answer(id, given);
    },
    async pipelines(repository) {
      const { top } = await findRepository(stores, repository);
      const { pipelines } = await runOwnCommand({ top, args: ["pipelines", "list", "--json"] });
      // Matches that command's JSON output.
      const listed = pipelines as readonly ListedPipeline[];
      return {
        pipelines: listed.map(({ name, about, input }) => ({ name, says: about, inputs: input })),
        // Drivers that need an `argv` cannot be selected by name alone.
        drivers: DRIVERS.flatMap((driver) => (driver.ofArgv ? [] : [driver.name])),
      };
    },
    async sql(repository, query) {
      const { top } = await findRepository(stores, repository);
      const places = await resolvePlaces(top);
      return queryRuns(places, await resolveTeam({ postgres: undefined }, places), query);
    },
    async close() {
      closing.abort();
      await stores.close();
    },
  };
}

type ListedPipeline = {
  readonly name: string;
  readonly about: string;
  readonly input: readonly PipelineInput[];
};

/** Watches the home page for changes other than the current time. */
function createHomeWatcher(lists: HomeLists): Watcher {
  return async (changed, signal) => {
    let last: string | undefined;
    while (!signal.aborted) {
      const { now: _, ...home }: Home = await lists.home("");
      const text = JSON.stringify(home);
      if (last !== undefined && text !== last) changed();
      last = text;
      await wait(LOOK_MS, undefined, { signal }).catch(() => undefined);
    }
  };
}
