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
    "Written by `npm run bench`; do not edit. All figures come from one run of it. Rates of the disk and of the stores are",
    "medians of interleaved rounds. Ratios compare figures of the same round, so a slow disk affects both sides.",
    "",
    "Other engines are set up as their documentation shows, with the same payload, and each step is stored before the next",
    "starts. npm installs them for the benchmark. The durability of a stored step differs and is stated next to each.",
    "",
    "Real agent programs run the same script on a local scripted model: they write one file and answer. By hand they are",
    "started as a plain child process in an existing checkout and home. A dispatch opens the tree, creates a home, starts,",
    "follows and checks the program, and takes the snapshot; for goose, Claude Code and Gemini CLI it also starts our client,",
    "which speaks their protocol. All variants take turns, and each is compared with the call by hand of its own round.",
    "",
    "A load above the number of cores means that other programs were running. Times and rates then include them, targets",
    "in milliseconds mean nothing, and only the ratios are valid.",
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
