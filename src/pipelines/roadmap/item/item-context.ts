import type { Item } from "../choosing/roadmap.ts";
import type { ChangedFile, Contract } from "../contracts.ts";
import { firstLines } from "../recording/one-line.ts";
import { adrPathOf } from "./adr.ts";

/**
 * What every dispatch is told about the item.
 * @rule R-08 (declaration) A dispatch carries six fields of the item and exactly the earlier outputs that are meant for
 *   this agent.
 */
export function contextOf(item: Item) {
  const { id, title, complexity, acceptanceCriteria, verification, dependencies } = item;
  return { id, title, complexity, acceptanceCriteria, verification, dependencies };
}

/**
 * @rule R-19 (declaration) Of an answer nothing goes on but fields of its contract.
 * @rule R-32 (declaration) What is forwarded of each agent is a fixed list of fields.
 */
export const forward = {
  research: ({ status, evidence, learnings }: Contract) => ({ status, evidence, learnings }),
  design: (contract: Contract, folder: string) => {
    const { status, mode, interfaces, boundaries, learnings } = contract;
    const edges = interfaces ? { interfaces } : boundaries ? { boundaries } : {};
    return { status, mode, adrPath: adrPathOf(contract, folder) ?? "", ...edges, learnings };
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
