import type { GcResult, Sizes } from "../../core/ports/workspace.ts";
import { counted } from "../../core/text/counted.ts";
import { table } from "../../surfaces/terminal/table.ts";
import type { Call } from "../call.ts";
import { bytesText } from "../output/bytes.ts";

type KeptRun = {
  readonly run: string;
  readonly status: string;
  readonly refs: number;
  readonly bytes: number;
  readonly folder: number;
};

export type DiskUse = {
  readonly runs: readonly KeptRun[];
  readonly cache: number;
  readonly attempts: Sizes["attempts"];
  /** What set-ups have installed for this repository, or for all where all were asked for. */
  readonly setups: number;
  /** The same for others, which stays. */
  readonly otherSetups: number;
};

/** What each run keeps, what of it may go and what stays; the words are those of what is going to be done. */
export function planLines({ paint }: Pick<Call, "paint">, kept: DiskUse, planned: GcResult): readonly string[] {
  const head = ["RUN", "STATUS", "SNAPSHOTS", "TRANSCRIPTS", ""].map((text) => ({ text, painted: paint.dim(text) }));
  const body = kept.runs.map(({ run, status, bytes, folder }) => {
    const { goes, text } = fateOf(run, planned);
    return [
      { text: run, painted: paint.bold(run) },
      { text: status },
      { text: bytesText(bytes) },
      { text: bytesText(folder) },
      { text, painted: goes ? paint.green(text) : paint.dim(text) },
    ];
  });
  const left = kept.attempts.filter(({ alive }) => !alive);
  return [
    ...table([head, ...body]),
    paint.dim(
      `engine's own git directory ${bytesText(kept.cache)} · ${counted(left.length, "folder")} left by dead attempts`,
    ),
    paint.dim(`kept set-ups ${bytesText(kept.setups)}, made again where they are needed${othersText(kept)}`),
    lastLine(planned),
  ];
}

const othersText = ({ otherSetups }: DiskUse): string =>
  otherSetups === 0 ? "" : ` · ${bytesText(otherSetups)} of other repositories, which --all-setups takes too`;

function lastLine({ removed, bytes }: GcResult): string {
  if (removed.length === 0) return "All of it is the only copy of something, or in use.";
  const held = removed.some((name) => name.startsWith("refs/") && WORK.has(partOf(name)));
  const why = held ? "the work in them is on a branch that stays" : "no work is in them";
  return `${counted(removed.length, "ref or folder", "refs and folders")} may go, about ${bytesText(bytes)}; ${why}.`;
}

function fateOf(run: string, { removed, kept }: GcResult): { readonly goes: boolean; readonly text: string } {
  const parts = [...new Set(removed.filter((name) => isOf(name, run)).map(partOf))].sort();
  const stays = kept.find(({ what }) => isOf(what, run));
  const texts = [
    parts.length > 0 ? `may go: ${parts.join(", ")}` : "",
    stays ? `${parts.length > 0 ? staying(partOf(stays.what)) : "stay"}: ${stays.because}` : "",
  ];
  return { goes: parts.length > 0, text: texts.filter(Boolean).join("; ") };
}

const staying = (part: string): string => `${part} ${part === BRANCH ? "stays" : "stay"}`;

/** The id of a run is long enough to be found nowhere else. */
const isOf = (name: string, run: string): boolean => name.includes(run);

const BRANCH = "its branch";
const WORK: ReadonlySet<string> = new Set(["snapshots", BRANCH]);

function partOf(name: string): string {
  if (name.startsWith("refs/heads/")) return BRANCH;
  if (/^refs\/signalbox\/[^/]+\/base\//.test(name)) return "the mark of where it began";
  return name.startsWith("refs/") ? "snapshots" : "leftover folders";
}
