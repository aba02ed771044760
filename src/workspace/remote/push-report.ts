/** A ref of the remote, from what it must be to what it shall be; undefined: it is not there. */
export type RefUpdate = { readonly ref: string; readonly from?: string | undefined; readonly to?: string | undefined };

/** `moved`: it is not, or no longer, what it had to be. */
export type PushOutcome = "done" | "moved";

export type PushReport = {
  readonly outcomes: ReadonlyMap<string, PushOutcome>;
  /** The remote's own word against one of them. */
  readonly refused?: string;
};

/** Git's report for programs: one line per ref, `<flag>\t<from>:<to>\t<words>`. */
export function readPush(out: string, updates: readonly RefUpdate[]): PushReport {
  const rows = out
    .split("\n")
    .map((row) => row.split("\t"))
    .filter((fields) => fields.length === 3);
  const outcomes = new Map<string, PushOutcome>();
  for (const { ref } of updates) {
    const [flag = "!", , words = "nothing was said of it"] = rows.find(([, names]) => names?.endsWith(`:${ref}`)) ?? [];
    if (flag !== "!") outcomes.set(ref, "done");
    else if (isMoved(words)) outcomes.set(ref, "moved");
    else return { outcomes, refused: `${ref} ${words}` };
  }
  return { outcomes };
}

/** Who is quicker on the remote itself, between its word and our push, is told of in the words of a lock. */
function isMoved(words: string): boolean {
  return /^\[rejected\]/.test(words) || /failed to update ref|cannot lock ref|already exists|incorrect old/.test(words);
}
