import { matchesGlob } from "node:path";

export type WriteScope = { readonly writes?: readonly string[]; readonly kept?: readonly string[] };

/** May this path change? Without `writes` everything may, except what is kept. */
export function mayWrite(path: string, { writes, kept }: WriteScope): boolean {
  if (kept?.some((name) => path === name || path.startsWith(`${name}/`))) return false;
  return writes === undefined || writes.some((glob) => matches(path, glob));
}

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
