import { execFile } from "node:child_process";
import type { JournalRecord } from "../core/record.ts";

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
  // As it was written: a replacement would be one more thing that somebody could have changed.
  const args = ["--no-replace-objects", "-C", repo, "cat-file", "commit", commit];
  const text = await new Promise<string | undefined>((answer) => {
    execFile("git", args, (error, stdout) => answer(error ? undefined : stdout));
  });
  if (text === undefined) return undefined;
  // The last one: a message that an agent wrote stands before the trailers.
  const anchor = [...text.matchAll(/^Signalbox-Chain: (\S+)$/gm)].at(-1)?.[1];
  return anchor === undefined ? {} : { anchor };
}
