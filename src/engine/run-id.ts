/** Sorts by time, is safe in refs, folders and SQL, and can be typed: `20261115-214210-k3f9ab`. */
export function runId(now: number, random: string): string {
  const [day = "", time = ""] = new Date(now).toISOString().split("T");
  const tail = random.replaceAll(/[^a-z0-9]/g, "").slice(0, 6);
  return `${day.replaceAll("-", "")}-${time.slice(0, 8).replaceAll(":", "")}-${tail}`;
}
