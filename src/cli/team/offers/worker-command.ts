/** Labels that a worker finds by itself; all others it is told to offer. */
const FOUND = /^(?:agent|sandbox|memory|pipeline|worker):/;

export function toldLabels(labels: readonly string[]): readonly string[] {
  return labels.filter((label) => !FOUND.test(label));
}

export function labelsOfKind(labels: readonly string[], kind: string): readonly string[] {
  return labels.flatMap((label) => (label.startsWith(`${kind}:`) ? [label.slice(kind.length + 1)] : []));
}

/** The line that starts a worker which offers them: `signalbox worker --labels linux` */
export function workerCommand(missing: readonly string[]): string {
  const told = [...new Set(toldLabels(missing))];
  return told.length === 0 ? "signalbox worker" : `signalbox worker --labels ${told.join(",")}`;
}

/** The same with where: a program that nobody has is not got by a label. */
export function howToServe(missing: readonly string[]): string {
  const agents = [...new Set(labelsOfKind(missing, "agent"))];
  const has = agents.length === 0 ? "the agents" : agents.join(" and ");
  return `${workerCommand(missing)}, in a clone of this repository on a machine that has ${has}`;
}
