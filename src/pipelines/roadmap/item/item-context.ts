import type { Item } from "../choosing/roadmap.ts";
import type { ChangedFile, Contract } from "../contracts.ts";
import { takeFirstLines } from "../recording/short-text.ts";
import { getAdrPath } from "./adr.ts";

/**
 * Item fields of every dispatch.
 * @rule R-08 (declaration) Each dispatch contains six fields of the item, all learnings and the prior outputs named for
 *   its agent; Testing and Review also get the diff, and Review the check results. A note, announced tests and the
 *   findings of a blocked run are added if they exist.
 */
export function getItemContext(item: Item) {
  const { id, title, complexity, acceptanceCriteria, verification, dependencies } = item;
  return { id, title, complexity, acceptanceCriteria, verification, dependencies };
}

/**
 * @rule R-19 (declaration) The engine forwards only contract fields of an answer.
 * @rule R-32 (declaration) The engine forwards a fixed list of contract fields per agent.
 */
export const forward = {
  research: ({ status, evidence, learnings }: Contract) => ({ status, evidence, learnings }),
  design: (contract: Contract, folder: string) => {
    const { status, mode, interfaces, boundaries, learnings } = contract;
    const edges = interfaces ? { interfaces } : boundaries ? { boundaries } : {};
    return { status, mode, adrPath: getAdrPath(contract, folder) ?? "", ...edges, learnings };
  },
  validation: ({ status, mode, evidence }: Contract) => ({ status, mode, evidence }),
  implementation: ({ status, learnings }: Contract, files: readonly ChangedFile[]) => ({ status, files, learnings }),
  testing: ({ status, evidence, failures = [] }: Contract) => ({
    status,
    evidence,
    failures: failures.map(takeFirstLines),
  }),
  review: ({ status, verdict, evidence, failures = [] }: Contract) => ({
    status,
    verdict,
    evidence,
    failures: failures.map(takeFirstLines),
  }),
} as const;

/** Changed files, with the implementer's description where there is one. */
export function describeFiles(changed: readonly string[], listed: readonly ChangedFile[] = []): ChangedFile[] {
  return changed.map((path) => ({ path, description: listed.find((file) => file.path === path)?.description ?? "" }));
}
