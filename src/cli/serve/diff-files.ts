import { SignalboxError } from "../../core/failure/errors.ts";
import type { ChangedFile, Workspace } from "../../core/ports/workspace.ts";
import type { Diff, FileDiff, Hunk } from "../../surfaces/server/port/diff.ts";
import type { DiffRequest } from "../../surfaces/server/port/port.ts";
import type { RunView } from "../../views/run-view.ts";
import { findNewestTree } from "../commands/diff.ts";
import { openRunWorkspace } from "../runs/run-workspace.ts";
import type { LocatedRun } from "./followed-runs.ts";
import { parseHunks, splitPatch } from "./patch-text.ts";

/** Limits per file and per diff. Larger diffs are loaded file by file. */
const MOST_LINES_OF_ONE = 20_000;
const MOST_FILES = 2_000;

/** Returns a run's changes by file, from its base to its newest work, or between two given trees. */
export async function readRunDiff({ store, row }: LocatedRun, view: RunView, asked: DiffRequest): Promise<Diff> {
  const from = asked.from ?? view.base.commit;
  const to = asked.to ?? findNewestTree(view)?.id;
  if (to === undefined || from === "") return { from, to: from, files: [] };
  const workspace = (await openRunWorkspace(store)).of(row.id);
  const files = (await workspace.changedFiles(from, to)).slice(0, MOST_FILES);
  const { redact } = store.world;
  if (asked.path !== undefined)
    return { from, to, files: [await readFileDiff(workspace, { from, to, files, path: asked.path, redact })] };
  // Redacts the diff as a whole because a private key spans several lines.
  const sections = splitPatch(redact(await workspace.diff(from, to)));
  return { from, to, files: files.map((file) => ({ ...file, ...toFileHunks(file, sections.get(redact(file.path))) })) };
}

type FileDiffRequest = {
  readonly from: string;
  readonly to: string;
  readonly files: readonly ChangedFile[];
  readonly path: string;
  readonly redact: (text: string) => string;
};

async function readFileDiff(
  workspace: Workspace,
  { from, to, files, path, redact }: FileDiffRequest,
): Promise<FileDiff> {
  const file = files.find((each) => each.path === path);
  if (!file) {
    throw new SignalboxError("OBJECT_GONE", `${path} is the same in both trees.`, "Choose a file from the list.");
  }
  const paths = [file.path, ...(file.oldPath === undefined ? [] : [file.oldPath])];
  const { text, cut } = await workspace.patch(from, to, paths);
  return { ...file, hunks: parseHunks(redact(text)), ...(cut ? { tooLarge: true } : {}) };
}

/** Omits the hunks of a file that is too large or behind the point where the diff was cut. */
function toFileHunks(file: ChangedFile, section: string | undefined): { hunks: readonly Hunk[] } | { tooLarge: true } {
  if (file.binary) return { hunks: [] };
  const changed = file.added + file.removed;
  if (section === undefined && changed > 0) return { tooLarge: true };
  return changed > MOST_LINES_OF_ONE ? { tooLarge: true } : { hunks: parseHunks(section ?? "") };
}
