/**
 * Creates an id that sorts by time, is safe in refs, folders and SQL, and can be typed: `20261115-214210-k3f9ab`.
 * @rule A-05 (policy) Run ids sort by time, need no quoting anywhere and are the same everywhere.
 * @rule L-03 (code) A run has one id, the same text in the ledger, in refs and in folders.
 */
export function runId(now: number, random: string): string {
  const [day = "", time = ""] = new Date(now).toISOString().split("T");
  const tail = random.replaceAll(/[^a-z0-9]/g, "").slice(0, 6);
  return `${day.replaceAll("-", "")}-${time.slice(0, 8).replaceAll(":", "")}-${tail}`;
}

/** Tells whether a name has the form of a run id. */
export function isRunId(name: string): boolean {
  return /^\d{8}-\d{6}-[a-z0-9]*$/.test(name);
}
