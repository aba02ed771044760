import type { JournalRecord } from "../core/record.ts";
import { askGit } from "./ask-git.ts";

/** The commits that a run recorded, oldest first. */
export function commitsIn(records: readonly JournalRecord[]): readonly string[] {
  const keys = new Set(
    records.flatMap((record) => (record.type === "step.started" && record.verb === "commit" ? [record.key] : [])),
  );
  return records.flatMap((record) => {
    if (record.type !== "step.finished" || !keys.has(record.key)) return [];
    const { value } = record;
    const commit = typeof value === "object" && value !== null && "commit" in value ? value["commit"] : undefined;
    return typeof commit === "string" && /^[0-9a-f]{40,64}$/.test(commit) ? [commit] : [];
  });
}

/** What the commit's trailer says of the chain; undefined where the repository does not have the commit. */
export async function trailerOf(repo: string, commit: string): Promise<{ readonly anchor?: string } | undefined> {
  const said = await askGit(repo, ["cat-file", "commit", commit]);
  const text = "out" in said ? said.out : undefined;
  if (text === undefined) return undefined;
  // The last one: a message that an agent wrote stands before the trailers.
  const anchor = [...text.matchAll(/^Signalbox-Chain: (\S+)$/gm)].at(-1)?.[1];
  return anchor === undefined ? {} : { anchor };
}
