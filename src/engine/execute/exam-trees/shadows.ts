import { getShadowWord, isTakingPlace } from "../../../core/checks/exam/shadow.ts";
import type { Workspace } from "../../../core/ports/workspace.ts";

/** Most new files, and lines about them, to compare. */
const MOST_FILES = 200;
const MOST_LINES = 20_000;

/**
 * Selects new files that replace something outside the repository: an old line meant an installed package or a system
 * header by this name, and now means the file.
 */
export async function findShadows(
  workspace: Workspace,
  old: string,
  added: readonly string[],
): Promise<readonly string[]> {
  const open = added.flatMap((path) => {
    const word = getShadowWord(path);
    return word === undefined ? [] : [{ path, word }];
  });
  if (open.length === 0 || open.length > MOST_FILES) return [];
  const lines = (await workspace.mentions(old, [...new Set(open.map(({ word }) => word))])) ?? [];
  if (lines.length === 0 || lines.length > MOST_LINES) return [];
  const files = new Set(await workspace.files("", old));
  return open
    .filter(({ path, word }) => lines.some((line) => line.text.includes(word) && isTakingPlace({ path, line, files })))
    .map(({ path }) => path);
}
