import { matchesGlob } from "node:path";

export type WriteScope = { readonly writes?: readonly string[]; readonly kept?: readonly string[] };

/** May this path change? Without `writes` everything may, except what is kept and not granted by its very name. */
export function mayWrite(path: string, { writes, kept }: WriteScope): boolean {
  const granted = writes?.includes(path) ?? false;
  if (isOwn(path) && !(granted && isTeams(path))) return false;
  if (!granted && kept?.some((name) => path === name || path.startsWith(`${name}/`))) return false;
  if (writes === undefined) return true;
  const [refused, allowed] = [writes.filter(isRefusal), writes.filter((glob) => !isRefusal(glob))];
  if (refused.some((glob) => matches(path, glob.slice(1)))) return false;
  return allowed.some((glob) => matches(path, glob));
}

const OWN = ".signalbox";

/** The engine's own: its settings, its database and the books of every run. Some disks know no capital letters. */
function isOwn(path: string): boolean {
  const plain = path.normalize("NFKC").toLowerCase();
  return plain === OWN || plain.startsWith(`${OWN}/`);
}

/** What people commit there. The rest is this machine's: taken from a branch it would replace the journal of runs. */
function isTeams(path: string): boolean {
  return path === `${OWN}/config.yaml` || path.startsWith(`${OWN}/pipelines/`);
}

const isRefusal = (glob: string): boolean => glob.startsWith("!");

function matches(path: string, glob: string): boolean {
  // Literally first: `app/[id]/page.ts` is a file's name before it is a pattern.
  if (path === glob) return true;
  const pattern = glob.replace(/^\.\//, "");
  return matchesGlob(undotted(path), undotted(pattern.endsWith("/") ? `${pattern}**` : pattern));
}

/** A wildcard does not match a leading dot; here it means every file, `.github` included. */
function undotted(text: string): string {
  return text.replaceAll(".", "\u0001");
}
