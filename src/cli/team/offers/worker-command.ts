/** Labels that a worker detects itself; all others are given with `--labels`. */
const DETECTED_LABEL = /^(?:agent|sandbox|memory|pipeline|worker):/;

export function selectConfiguredLabels(labels: readonly string[]): readonly string[] {
  return labels.filter((label) => !DETECTED_LABEL.test(label));
}

export function listLabelValues(labels: readonly string[], kind: string): readonly string[] {
  return labels.flatMap((label) => (label.startsWith(`${kind}:`) ? [label.slice(kind.length + 1)] : []));
}

/** Formats the command that starts a worker with these labels: `signalbox worker --labels linux` */
export function formatWorkerCommand(missing: readonly string[]): string {
  const configured = [...new Set(selectConfiguredLabels(missing))];
  return configured.length === 0 ? "signalbox worker" : `signalbox worker --labels ${configured.join(",")}`;
}

/** Adds where to run the command: a missing agent program is not provided by a label. */
export function formatServeHint(missing: readonly string[]): string {
  const agents = [...new Set(listLabelValues(missing, "agent"))];
  const has = agents.length === 0 ? "the agents" : agents.join(" and ");
  return `${formatWorkerCommand(missing)}, in a clone of this repository on a machine with ${has}`;
}
