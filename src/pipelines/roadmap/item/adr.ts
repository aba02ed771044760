import { type Id, type Item, isSameId, type Learning } from "../choosing/roadmap.ts";
import type { Contract } from "../contracts.ts";
import { DEFAULT_FOLDER } from "./adr-folder.ts";
import { isDesign } from "./titles.ts";

/** The ADR path of an architect's contract: its own field, or the only such path in its evidence. */
export function getAdrPath(contract: Pick<Contract, "adr" | "evidence">, folder = DEFAULT_FOLDER): string | undefined {
  if (contract.adr) return contract.adr.replaceAll("`", "").replace(/^\.\//, "").trim();
  return getOnlyPath(extractPaths(contract.evidence, folder));
}

export type AdrSources = {
  readonly items: readonly Item[];
  readonly learnings: readonly Learning[];
  /** ADR that the engine saw, by design item. */
  readonly adrs: Readonly<Record<string, string>>;
  /** The ADR folder, and its files in the tree that the scaffold starts from. */
  readonly folder: string;
  readonly files: readonly string[];
};

export type AdrSelection = { readonly adrPath: string } | { readonly refused: string };

/**
 * Selects the ADR for a scaffold item: that of the done design item among its dependencies. If another clone or a
 * person finished that item, uses the path in its learnings or the only ADR there is.
 * @rule R-40 (policy) A scaffold item takes the ADR of the done `Architect (design)` item among its dependencies;
 *   without such an item or file, it is blocked before any dispatch.
 */
export function selectAdr(item: Item, known: AdrSources): AdrSelection {
  const design = known.items.find(
    (each) => isDesign(each) && each.status === "done" && item.dependencies.some((id) => isSameId(id, each.id)),
  );
  if (!design) return { refused: 'no done item "Architect (design)" is among the dependencies' };
  const adrPath =
    known.adrs[String(design.id)] ?? getOnlyPath(listLearnedPaths(known, design.id)) ?? getOnlyPath(known.files);
  if (adrPath === undefined) {
    const there = known.files.length === 0 ? "there is none" : `there are ${known.files.join(", ")}`;
    return { refused: `the ADR of item ${design.id} is unknown: under ${known.folder} ${there}` };
  }
  if (known.files.includes(adrPath)) return { adrPath };
  return { refused: `the ADR of item ${design.id}, ${adrPath}, is not in the tree` };
}

function listLearnedPaths({ learnings, folder }: AdrSources, id: Id): string[] {
  const texts = learnings.filter((each) => isSameId(each.itemId, id)).map((each) => each.learning);
  return extractPaths(texts, folder);
}

function extractPaths(texts: readonly string[], folder: string): string[] {
  const words = texts.join(" ").match(/[\w./-]*\w/g) ?? [];
  return words.filter((word) => word.startsWith(`${folder}/`));
}

function getOnlyPath(paths: readonly string[]): string | undefined {
  const different = new Set(paths);
  return different.size === 1 ? [...different][0] : undefined;
}
