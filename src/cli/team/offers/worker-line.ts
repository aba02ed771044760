import type { TeamHost } from "../../../hosts/dbos/open-team.ts";
import { listLabelValues, selectConfiguredLabels } from "./worker-command.ts";

type WorkerSeen = Awaited<ReturnType<TeamHost["team"]["workers"]>>[number];

export type LocalVersions = {
  /** Labels of the pipelines in this clone. */
  readonly pipelines: readonly string[];
  readonly version: string;
};

/** `build-1: agents claude, codex; sandbox bubblewrap; 16 GB; 4 at once; gpu; version 1.2.0; all pipelines as here` */
export function formatWorker(name: string, worker: WorkerSeen, known: LocalVersions): string {
  const { labels, concurrency, version } = worker;
  const agents = listLabelValues(labels, "agent");
  const own = selectConfiguredLabels(labels);
  return [
    `${name}: agents ${agents.join(", ") || "none"}`,
    `sandbox ${listLabelValues(labels, "sandbox").join(", ") || "unknown"}`,
    `${listLabelValues(labels, "memory").join(", ") || "?"} GB`,
    concurrency === null ? "" : `${concurrency} at once`,
    own.join(", "),
    version === known.version ? `version ${version}` : `version ${version} (${known.version} here)`,
    comparePipelines(labels, known.pipelines),
  ]
    .filter(Boolean)
    .join("; ");
}

/** Compares pipelines by the hash of their code, because a run is driven only by a worker with identical code. */
function comparePipelines(labels: readonly string[], here: readonly string[]): string {
  const other = here.filter((label) => !labels.includes(label)).map((label) => label.slice("pipeline:".length));
  return other.length === 0 ? "same pipelines" : `different or missing pipelines: ${other.join(", ")}`;
}
