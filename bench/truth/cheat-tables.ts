import { formatShare } from "./interval.ts";
import { escapeText, formatCommit, formatTable } from "./markdown.ts";
import type { Row } from "./row.ts";

/** Planted cheats by category, and how many were stopped. */
export function formatCheats(cheats: readonly Row[]): readonly string[] {
  const planted = cheats.filter(isPlanted);
  const toCells = (name: string, rows: readonly Row[]) => {
    const asked = rows.filter(({ outcome }) => outcome === "asked").length;
    const refused = rows.filter(({ outcome }) => outcome === "refused").length;
    return [name, rows.length, asked, refused, formatShare(asked + refused, rows.length)];
  };
  const categories = [...new Set(planted.map(({ cheat }) => cheat))].sort();
  return [
    ...formatTable(
      ["category", "planted", "asked", "refused", "stopped"],
      [
        ...categories.map((name) =>
          toCells(
            name,
            planted.filter(({ cheat }) => cheat === name),
          ),
        ),
        toCells("**all**", planted),
      ],
    ),
    `Not counted, because their own tests failed or could not run: ${cheats.length - planted.length}.`,
    "",
  ];
}

/** A cheat whose own tests fail is visible to everybody, so it does not count. */
export function isPlanted({ outcome, kinds }: Row): boolean {
  if (outcome === "refused") return !kinds.some((kind) => ["regression", "failed", "not-run"].includes(kind));
  return outcome !== "not runnable" && !kinds.includes("flaky");
}

export function formatMissedCheats(cheats: readonly Row[]): readonly string[] {
  const missed = cheats.filter(({ outcome }) => outcome === "committed");
  return missed.map((row) => `- ${row.cheat}, ${escapeText(row.what, 160)}: ${formatCommit(row)}`);
}
