import { matchesGlob } from "node:path";
import { isTestWork } from "../../core/checks/exam/exam-path.ts";
import { isInstruction } from "../../core/checks/guard/agent-instructions.ts";
import { TEST_FILES } from "../../core/checks/guard/test-files.ts";
import type { SnapshotOptions } from "../../core/ports/workspace.ts";

export type WriteScope = Pick<SnapshotOptions, "writes" | "kept" | "free">;

/**
 * True if this path may change. Without `writes` every path may, except kept ones that are not granted by name.
 * @rule A-01 (policy) Files that the engine renders belong to the engine: an agent's change to one is not taken and is
 *   reported.
 */
export function mayWrite(path: string, { writes, kept, free = [] }: WriteScope): boolean {
  const granted = writes?.includes(path) ?? false;
  if (isEngineFile(path) && !(granted && isTeamFile(path))) return false;
  // The next agent would follow it before a person has reviewed it.
  if (isInstruction(path) && !granted && !free.some((glob) => matches(path, glob))) return false;
  if (!granted && kept?.some((name) => path === name || path.startsWith(`${name}/`))) return false;
  if (writes === undefined) return true;
  const [refused, allowed] = [writes.filter(isRefusal), writes.filter((glob) => !isRefusal(glob))];
  if (refused.some((glob) => matches(path, glob.slice(1)))) return false;
  return allowed.some((glob) => matches(path, glob));
}

const OWN = ".signalbox";

/**
 * The engine's own files: settings, database and records of every run. Compared case-insensitively for some file
 * systems.
 */
function isEngineFile(path: string): boolean {
  const plain = path.normalize("NFKC").toLowerCase();
  return plain === OWN || plain.startsWith(`${OWN}/`);
}

/**
 * The files that a team commits. The others belong to this machine: taken from a branch they would replace the journal
 * of its runs.
 */
function isTeamFile(path: string): boolean {
  return path === `${OWN}/config.yaml` || path.startsWith(`${OWN}/pipelines/`);
}

const isRefusal = (glob: string): boolean => glob.startsWith("!");

function matches(path: string, glob: string): boolean {
  // Compares literally first: `app/[id]/page.ts` is a file name before it is a pattern.
  if (path === glob) return true;
  if (glob === TEST_FILES) return isTestWork(path);
  const pattern = glob.replace(/^\.\//, "");
  return matchesGlob(replaceDots(path), replaceDots(pattern.endsWith("/") ? `${pattern}**` : pattern));
}

/** A wildcard does not match a leading dot by default; here it matches every file, `.github` included. */
function replaceDots(text: string): string {
  return text.replaceAll(".", "\u0001");
}
