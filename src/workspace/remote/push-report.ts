/** The expected and the new value of a remote ref; undefined means absent. */
export type RefUpdate = { readonly ref: string; readonly from?: string | undefined; readonly to?: string | undefined };

/** `moved`: the ref does not have the expected value. */
export type PushOutcome = "done" | "moved";

export type PushReport = {
  readonly outcomes: ReadonlyMap<string, PushOutcome>;
  /** The remote's reason for refusing one of them. */
  readonly refused?: string;
};

/** Parses git's porcelain output: one line per ref, `<flag>\t<from>:<to>\t<words>`. */
export function parsePushReport(out: string, updates: readonly RefUpdate[]): PushReport {
  const rows = out
    .split("\n")
    .map((row) => row.split("\t"))
    .filter((fields) => fields.length === 3);
  const outcomes = new Map<string, PushOutcome>();
  for (const { ref } of updates) {
    const [flag = "!", , words = "not reported"] = rows.find(([, names]) => names?.endsWith(`:${ref}`)) ?? [];
    if (flag !== "!") outcomes.set(ref, "done");
    else if (isMovedMessage(words)) outcomes.set(ref, "moved");
    else return { outcomes, refused: `${ref} ${words}` };
  }
  return { outcomes };
}

/** A concurrent update on the remote, after it advertised its refs, is reported as a lock failure. */
function isMovedMessage(words: string): boolean {
  return /^\[rejected\]/.test(words) || /failed to update ref|cannot lock ref|already exists|incorrect old/.test(words);
}
