import type { ChaosReport } from "./chaos.ts";

export function chaosLines({ takeoversMs, memoryMb, connections, troubles, wrong, ...report }: ChaosReport): string[] {
  const at = (share: number) => takeoversMs[Math.floor((takeoversMs.length - 1) * share)] ?? 0;
  const thirds = (values: readonly number[]) =>
    [0, 1, 2].map((third) =>
      computeMedian(values.slice((values.length * third) / 3, (values.length * (third + 1)) / 3)),
    );
  return [
    `${report.runs} runs in ${report.seconds} s; ${troubles.kill} kills, ${troubles.pause} pauses, ${troubles.restart} restarts of Postgres`,
    `takeovers: ${takeoversMs.length}, p50 ${at(0.5)} ms, p95 ${at(0.95)} ms`,
    `the untroubled worker, by thirds: ${thirds(memoryMb).join(", ")} MB, ${thirds(connections).join(", ")} connections`,
    ...(wrong.length === 0 ? ["nothing is wrong"] : wrong),
  ];
}

const computeMedian = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
