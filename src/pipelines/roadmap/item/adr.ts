import type { Contract } from "./contracts.ts";
import { type Id, type Item, type Learning, sameId } from "./roadmap.ts";
import { isDesign } from "./titles.ts";

export const ADR_FOLDER = "docs/adr";

/** The ADR that an architect's contract names: its own field, or the one such path in its evidence. */
export function adrPathOf(contract: Pick<Contract, "adr" | "evidence">): string | undefined {
  if (contract.adr) return contract.adr.replaceAll("`", "").trim();
  return onlyOne(pathsIn(contract.evidence));
}

export type Known = {
  readonly items: readonly Item[];
  readonly learnings: readonly Learning[];
  /** By design item: the ADR that the engine saw it leave behind. */
  readonly adrs: Readonly<Record<string, string>>;
  /** What lies under the ADR folder of the tree that the scaffold starts from. */
  readonly files: readonly string[];
};

export type AdrFound = { readonly adrPath: string } | { readonly refused: string };

/**
 * Which ADR a scaffold item is built from: that of the done design item among its dependencies. Where that item was
 * finished by hand or by a run of another clone, its learnings may name the file, or there may be only one.
 */
export function adrFor(item: Item, known: Known): AdrFound {
  const design = known.items.find(
    (each) => isDesign(each) && each.status === "done" && item.dependencies.some((id) => sameId(id, each.id)),
  );
  if (!design) return { refused: 'no done item "Architect (design)" is among the dependencies' };
  const adrPath = known.adrs[String(design.id)] ?? onlyOne(learned(known, design.id)) ?? onlyOne(known.files);
  if (adrPath === undefined) {
    const there = known.files.length === 0 ? "there is none" : `there are ${known.files.join(", ")}`;
    return { refused: `it is not known which ADR item ${design.id} has written: under ${ADR_FOLDER} ${there}` };
  }
  if (known.files.includes(adrPath)) return { adrPath };
  return { refused: `the ADR of item ${design.id}, ${adrPath}, is not in the tree` };
}

const learned = ({ learnings }: Known, id: Id): string[] =>
  pathsIn(learnings.filter((each) => sameId(each.itemId, id)).map((each) => each.learning));

const pathsIn = (texts: readonly string[]): string[] => texts.join(" ").match(/docs\/adr\/[\w./-]*\w/g) ?? [];

function onlyOne(paths: readonly string[]): string | undefined {
  const different = new Set(paths);
  return different.size === 1 ? [...different][0] : undefined;
}
