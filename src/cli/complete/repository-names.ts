import { readdir } from "node:fs/promises";
import { PREFLIGHT } from "../../core/authoring/preflight.ts";
import { BUILT_IN } from "../../pipelines/index.ts";
import { toOneLine } from "../../surfaces/terminal/clean-text.ts";
import { formatAge } from "../../surfaces/terminal/duration.ts";
import type { Call } from "../call.ts";
import { resolvePlaces } from "../project/repository.ts";
import { findRun } from "../runs/find-run.ts";
import { foldRun } from "../runs/fold-run.ts";
import { type RunStore, withRunStore } from "../runs/run-store.ts";

/** A possible completion with the description that a shell shows beside it. */
export type Completion = { readonly value: string; readonly about: string };

/** Limit; a longer list is no help and is printed at every key press. */
const MAX_RUNS = 100;

/** Names in this repository that can be completed. None of its code is loaded or executed. */
export type RepositoryNames = {
  pipelines(): Promise<readonly Completion[]>;
  runs(): Promise<readonly Completion[]>;
  questions(): Promise<readonly Completion[]>;
  choices(question: string): Promise<readonly Completion[]>;
  phases(run: string): Promise<readonly Completion[]>;
  roles(pipeline: string): Promise<readonly Completion[]>;
  pipelineOf(run: string | undefined): Promise<string | undefined>;
};

export function readRepositoryNames(call: Call): RepositoryNames {
  const withStore = <T>(use: (withStore: RunStore) => Promise<T>, otherwise: T) =>
    withRunStore(call, use, () => otherwise);
  return {
    pipelines: async () => [
      ...Object.keys(BUILT_IN).map((value) => ({ value, about: "built in" })),
      ...(await listOwnPipelines(call)).map((value) => ({ value, about: "from this repository" })),
    ],
    runs: () =>
      withStore(async ({ host, world }) => {
        const rows = (await host.runs.list()).slice(0, MAX_RUNS);
        return rows.map(({ id, pipeline, status, createdAt }) => ({
          value: id,
          about: `${pipeline}, ${status}, ${formatAge(world.now() - createdAt)}`,
        }));
      }, []),
    questions: () =>
      withStore(async (opened) => {
        const open = await listOpenQuestions(opened);
        return open.map(({ approval, title }) => ({ value: approval, about: toOneLine(title, 70) }));
      }, []),
    choices: (question) =>
      withStore(async (opened) => {
        const matching = (await listOpenQuestions(opened)).filter(({ approval }) => approval.startsWith(question));
        const [one, ...others] = matching;
        return one && others.length === 0
          ? one.choices.map((value) => ({ value, about: toOneLine(one.title, 70) }))
          : [];
      }, []),
    phases: (run) =>
      withStore(async ({ host, places }) => {
        const { phases } = await foldRun(host, (await findRun(host, places.top, run)).id);
        const reached = phases.filter(({ title, startedAt }) => title !== PREFLIGHT && startedAt !== undefined);
        return reached.map(({ title, state }) => ({ value: title, about: state }));
      }, []),
    roles: async (pipeline) => {
      // Roles of own pipelines are not offered: their file may not be trusted, so it is not loaded.
      if ((await listOwnPipelines(call)).includes(pipeline)) return [];
      const roles = (await BUILT_IN[pipeline]?.())?.roles ?? [];
      return roles.map(({ name, does }) => ({ value: name, about: toOneLine(does, 70) }));
    },
    pipelineOf: (run) =>
      withStore(
        async ({ host, places }) => (await findRun(host, places.top, run)).pipeline as string | undefined,
        undefined,
      ),
  };
}

async function listOpenQuestions(withStore: RunStore) {
  const { listPendingApprovals } = await import("../runs/questions/approvals.ts");
  return (await listPendingApprovals(withStore)).filter(({ earlier }) => !earlier).map(({ approval }) => approval);
}

/** Lists own pipelines by file name, and only names that need no shell quoting. */
async function listOwnPipelines(call: Call): Promise<readonly string[]> {
  const places = await resolvePlaces(call.dir).catch(() => undefined);
  if (!places) return [];
  const files = await readdir(places.pipelines).catch(() => []);
  const names = files.flatMap((file) => /^([A-Za-z0-9][\w.-]{0,99})\.m?[jt]s$/.exec(file)?.[1] ?? []);
  return names.filter((name) => !/\.(?:d|test)$/.test(name) && !Object.hasOwn(BUILT_IN, name)).sort();
}
