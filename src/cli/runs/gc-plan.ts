import type { GcResult, StorageSizes } from "../../core/ports/workspace.ts";
import { counted } from "../../core/text/count.ts";
import { formatTable } from "../../surfaces/terminal/table.ts";
import type { Call } from "../call.ts";
import { formatBytes } from "../output/format-bytes.ts";

type RunDiskUse = {
  readonly run: string;
  readonly status: string;
  readonly refs: number;
  readonly bytes: number;
  readonly folder: number;
};

export type DiskUse = {
  readonly runs: readonly RunDiskUse[];
  readonly cache: number;
  readonly attempts: StorageSizes["attempts"];
  /** Size of the set-ups for this repository, or for all of them with `--all-setups`. */
  readonly setups: number;
  /** Size of the set-ups for other repositories, which are kept. */
  readonly otherSetups: number;
};

/** Formats what each run stores, what `gc` removes of it and what it keeps, with the reason. */
export function formatGcPlan({ paint }: Pick<Call, "paint">, kept: DiskUse, planned: GcResult): readonly string[] {
  const head = ["RUN", "STATUS", "SNAPSHOTS", "TRANSCRIPTS", ""].map((text) => ({ text, painted: paint.dim(text) }));
  const body = kept.runs.map(({ run, status, bytes, folder }) => {
    const { goes, text } = describeRemoval(run, planned);
    return [
      { text: run, painted: paint.bold(run) },
      { text: status },
      { text: formatBytes(bytes) },
      { text: formatBytes(folder) },
      { text, painted: goes ? paint.green(text) : paint.dim(text) },
    ];
  });
  const left = kept.attempts.filter(({ alive }) => !alive);
  return [
    ...formatTable([head, ...body]),
    paint.dim(
      `engine's git directory ${formatBytes(kept.cache)} · ${counted(left.length, "folder")} left by dead attempts`,
    ),
    paint.dim(`cached set-ups ${formatBytes(kept.setups)}, reinstalled when needed${formatOtherSetups(kept)}`),
    formatSummary(planned),
  ];
}

const formatOtherSetups = ({ otherSetups }: DiskUse): string =>
  otherSetups === 0 ? "" : ` · ${formatBytes(otherSetups)} of other repositories (removed with --all-setups)`;

function formatSummary({ removed, bytes }: GcResult): string {
  if (removed.length === 0) return "Nothing to remove: everything is in use or the only copy of its work.";
  const held = removed.some((name) => name.startsWith("refs/") && WORK.has(classifyName(name)));
  const why = held ? "their work is on a branch that is kept" : "they contain no work";
  return `${counted(removed.length, "ref or folder", "refs and folders")} can be removed, about ${formatBytes(bytes)}; ${why}.`;
}

function describeRemoval(run: string, { removed, kept }: GcResult): { readonly goes: boolean; readonly text: string } {
  const parts = [...new Set(removed.filter((name) => isOfRun(name, run)).map(classifyName))].sort();
  const stays = kept.find(({ what }) => isOfRun(what, run));
  const texts = [
    parts.length > 0 ? `removable: ${parts.join(", ")}` : "",
    stays ? `${parts.length > 0 ? `${classifyName(stays.what)} kept` : "kept"}: ${stays.because}` : "",
  ];
  return { goes: parts.length > 0, text: texts.filter(Boolean).join("; ") };
}

/** A run id is long enough not to occur anywhere else. */
const isOfRun = (name: string, run: string): boolean => name.includes(run);

const BRANCH = "branch";
const WORK: ReadonlySet<string> = new Set(["snapshots", BRANCH]);

function classifyName(name: string): string {
  if (name.startsWith("refs/heads/")) return BRANCH;
  if (/^refs\/signalbox\/[^/]+\/base\//.test(name)) return "base ref";
  return name.startsWith("refs/") ? "snapshots" : "leftover folders";
}
