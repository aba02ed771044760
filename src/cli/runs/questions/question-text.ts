import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { cleanText, toOneLine } from "../../../surfaces/terminal/clean-text.ts";
import { formatQuestionText } from "../../../surfaces/terminal/render-value.ts";
import type { OpenApproval } from "../../../views/questions.ts";
import type { RunView } from "../../../views/run-view.ts";
import { resolveInside } from "../../output/resolve-inside.ts";
import type { RepositoryPlaces } from "../../project/repository.ts";
import type { RunStore } from "../run-store.ts";
import { openRunWorkspace } from "../run-workspace.ts";

/** A file that a question refers to; `text` is null if it cannot be read. */
export type QuestionFile = { readonly path: string; readonly text: string | null };

type QuestionFileInputs = {
  readonly store: Pick<RunStore, "places" | "world" | "team">;
  readonly asked: OpenApproval;
  readonly view: Pick<RunView, "newestTree" | "base">;
};

/** Reads the files that a question refers to, from the run's artifacts or from its tree. */
export async function readQuestionFiles({ store, asked, view }: QuestionFileInputs): Promise<readonly QuestionFile[]> {
  const { places, world } = store;
  const { paths = [], run } = asked;
  if (paths.length === 0) return [];
  await store.team?.bring(run);
  const tree = asked.tree ?? view.newestTree?.tree ?? view.base.tree;
  const workspace = (await openRunWorkspace(store)).of(run);
  return Promise.all(
    paths.map(async (path) => {
      const written = await readArtifact(places, run, path);
      const text = written ?? (await workspace.file(path, tree).catch(() => null))?.text;
      return { path, text: text === undefined ? null : world.redact(text) };
    }),
  );
}

async function readArtifact(places: RepositoryPlaces, run: string, path: string): Promise<string | undefined> {
  const folder = join(places.runs, run, "artifacts");
  const file = resolveInside(folder, path);
  return file === undefined ? undefined : readFile(file, "utf8").catch(() => undefined);
}

/** Formats the complete question with its files. */
export function formatQuestion(asked: OpenApproval, files: readonly QuestionFile[]): readonly string[] {
  return [
    toOneLine(asked.title, Number.POSITIVE_INFINITY),
    "",
    ...formatQuestionText(asked),
    ...(asked.brief ? ["", `as written by the agents: signalbox inbox ${asked.approval} --json`] : []),
    ...files.flatMap(({ path, text }) => [
      "",
      `── ${toOneLine(path)}`,
      ...(text === null ? ["(cannot be read)"] : cleanText(text).trimEnd().split("\n")),
    ]),
  ];
}
