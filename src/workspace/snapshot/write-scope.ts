import { matchesGlob } from "node:path";
import { isTestWork } from "../../core/checks/exam/exam-path.ts";
import { isInstruction } from "../../core/checks/guard/agent-instructions.ts";
import { TEST_FILES } from "../../core/checks/guard/test-files.ts";
import type { SnapshotOptions } from "../../core/ports/workspace.ts";

export type WriteScope = Pick<SnapshotOptions, "writes" | "kept" | "free">;

/**
 * May this path change? Without `writes` everything may, except what is kept and not granted by its very name.
 * @rule A-01 (policy) What the engine renders is the engine's: an agent's change to it is not taken and is reported.
 */
export function mayWrite(path: string, { writes, kept, free = [] }: WriteScope): boolean {
  const granted = writes?.includes(path) ?? false;
  if (isOwn(path) && !(granted && isTeams(path))) return false;
  // The next agent would take it for an order before anybody has seen it.
  if (isInstruction(path) && !granted && !free.some((glob) => matches(path, glob))) return false;
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
  if (glob === TEST_FILES) return isTestWork(path);
  const pattern = glob.replace(/^\.\//, "");
  return matchesGlob(undotted(path), undotted(pattern.endsWith("/") ? `${pattern}**` : pattern));
}

/** A wildcard does not match a leading dot; here it means every file, `.github` included. */
function undotted(text: string): string {
  return text.replaceAll(".", "\u0001");
}
