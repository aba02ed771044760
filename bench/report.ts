import type { Figure } from "./figure.ts";

export type ReportInput = {
  readonly date: string;
  readonly machine: readonly string[];
  readonly figures: readonly Figure[];
  /** Figures that were not measured this time, and the command that measures them. */
  readonly left: readonly string[];
};

export function reportOf({ date, machine, figures, left }: ReportInput): string {
  return [
    "# Benchmarks",
    "",
    "Written by `npm run bench`; do not edit. All figures are of one run of it. Rates of the disk and of the stores are",
    "medians of interleaved rounds, and ratios compare figures of the same round, so that a moody disk moves both sides.",
    "",
    "Other engines are measured as their documentation shows them, with the same payload, each step stored before the next",
    "begins; npm brings them for the time of the benchmark. What a stored step is worth differs, and is said beside them.",
    "",
    "Real agent programs play the same script on a model of this machine: they write one file and answer. By hand they are",
    "started as a child and nothing else, in a checkout and a home that are there already. A dispatch opens the tree, makes",
    "a home, starts, follows and judges the program and takes the snapshot; of goose, Claude Code and Gemini CLI it also",
    "starts our client, which speaks their protocol. All ways take turns, and each is compared with the call by hand of its",
    "own round.",
    "",
    "A load above the number of cores means that others were at work: then times and rates are theirs too, targets in",
    "milliseconds say nothing, and only ratios do.",
    "",
    `Measured on ${date}:`,
    "",
    ...machine.map((fact) => `- ${fact}`),
    "",
    "| figure | target | reached | |",
    "|---|---|---|---|",
    ...figures.map(
      (figure) => `| ${figure.name} | ${figure.target ?? "–"} | ${figure.reached} | ${verdictOf(figure)} |`,
    ),
    ...left.flatMap((line) => ["", line]),
    "",
  ].join("\n");
}

export function verdictOf({ met }: Figure): string {
  if (met === undefined) return "";
  return met ? "met" : "**missed**";
}
