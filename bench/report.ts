import type { Figure } from "./figure.ts";

export type Measured = {
  readonly date: string;
  readonly machine: readonly string[];
  readonly figures: readonly Figure[];
  /** Figures that were not measured this time, and how to have them. */
  readonly left: readonly string[];
};

export function reportOf({ date, machine, figures, left }: Measured): string {
  return [
    "# Benchmarks",
    "",
    "Written by `npm run bench`; do not edit. All figures are of one run of it. Rates of the disk and of the stores are",
    "medians of interleaved rounds, and ratios compare figures of the same round, so that a moody disk moves both sides.",
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
