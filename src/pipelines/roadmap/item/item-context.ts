import { adrPathOf } from "./adr.ts";
import type { ChangedFile, Contract } from "./contracts.ts";
import { firstLines } from "./one-line.ts";
import type { Item } from "./roadmap.ts";

/** What every dispatch is told about the item. */
export function contextOf(item: Item) {
  const { id, title, complexity, acceptanceCriteria, verification, dependencies } = item;
  return { id, title, complexity, acceptanceCriteria, verification, dependencies };
}

/** What goes on from each agent's contract to later ones: these fields, nothing else of what it said. */
export const forward = {
  research: ({ status, evidence, learnings }: Contract) => ({ status, evidence, learnings }),
  design: (contract: Contract) => {
    const { status, mode, interfaces, boundaries, learnings } = contract;
    const edges = interfaces ? { interfaces } : boundaries ? { boundaries } : {};
    return { status, mode, adrPath: adrPathOf(contract) ?? "", ...edges, learnings };
  },
  validation: ({ status, mode, evidence }: Contract) => ({ status, mode, evidence }),
  implementation: ({ status, learnings }: Contract, files: readonly ChangedFile[]) => ({ status, files, learnings }),
  testing: ({ status, evidence, failures = [] }: Contract) => ({
    status,
    evidence,
    failures: failures.map(firstLines),
  }),
  review: ({ status, verdict, evidence, failures = [] }: Contract) => ({
    status,
    verdict,
    evidence,
    failures: failures.map(firstLines),
  }),
} as const;

/** What really changed, with the implementer's own words where it has some. */
export function filesOf(changed: readonly string[], told: readonly ChangedFile[] = []): ChangedFile[] {
  return changed.map((path) => ({ path, description: told.find((file) => file.path === path)?.description ?? "" }));
}
