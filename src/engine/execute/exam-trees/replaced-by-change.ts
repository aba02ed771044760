import type { Change } from "../../../core/authoring/observations.ts";
import { isPackages } from "../../../core/checks/exam/locks/package-files.ts";
import { isLock } from "../../../core/checks/exam/locks/read-lock.ts";
import {
  findReplacedInManifest,
  getOwnName,
  listRequestedNames,
} from "../../../core/checks/exam/locks/replaced-in-manifest.ts";
import { findReplacedInLock, listLockedNames } from "../../../core/checks/exam/locks/replaced-packages.ts";
import type { ExamRequest, ExamTrees } from "../../../core/journal/effect.ts";
import type { Workspace } from "../../../core/ports/workspace.ts";

/** Most files with installed packages to read. */
const MOST_FILES = 200;
const INSTALLED = /(?:^|\/)(?:node_modules|vendor|third_party)\//;
const ENTRY_POINTS = /(?:^|\/)(?:setup\.py|setup\.cfg|pyproject\.toml|entry_points\.txt)$/;

type ReplacedPackages = NonNullable<ExamTrees["replaced"]>[number];

/**
 * Lists files of the change that replace an installed package: tests may rely on it anywhere.
 * @rule A-38 (gate) Anything that a test program, an assertion library or a checker loads and that has changed belongs
 *   to the exam: packages under an old name, lock entries, install scripts, plugins, files that are loaded by their
 *   location.
 */
export async function findReplacedPackages(
  workspace: Workspace,
  { old, new: tree }: ExamRequest,
  changes: readonly Change[],
): Promise<Pick<ExamTrees, "replaced">> {
  const open = changes.filter(
    ({ path, status }) =>
      status !== "deleted" && !INSTALLED.test(path) && (isPackages(path) || ENTRY_POINTS.test(path)),
  );
  if (open.length === 0) return {};
  const readSide = async (path: string, side: string) => (await workspace.file(path, side))?.text ?? "";
  const installed = await listInstalledBefore(workspace, old);
  const found = await Promise.all(
    open.map(async ({ path, status }): Promise<readonly ReplacedPackages[]> => {
      const before = status === "added" ? "" : await readSide(path, old);
      const after = await readSide(path, tree);
      const input = { path, before, after, installed };
      if (isLock(path)) {
        const packages = findReplacedInLock(input);
        return packages === undefined || packages.length > 0 ? [{ path, packages: packages ?? [] }] : [];
      }
      const plugins = listPluginLines(after).join("\n") === listPluginLines(before).join("\n") ? [] : ["pytest11"];
      const packages = [...findReplacedInManifest(input), ...plugins];
      return packages.length > 0 ? [{ path, packages }] : [];
    }),
  );
  const replaced = found.flat();
  return replaced.length > 0 ? { replaced } : {};
}

/** Lists packages that the old tree installs, without its own. */
async function listInstalledBefore(workspace: Workspace, old: string): Promise<ReadonlySet<string>> {
  const files = (await workspace.files("", old)).filter((path) => isPackages(path) && !INSTALLED.test(path));
  const texts = await Promise.all(
    files.slice(0, MOST_FILES).map(async (path) => ({ path, text: (await workspace.file(path, old))?.text ?? "" })),
  );
  const names = texts.flatMap(({ path, text }) =>
    isLock(path) ? listLockedNames(path, text) : listRequestedNames(path, text),
  );
  const own = new Set(texts.flatMap(({ path, text }) => getOwnName(path, text) ?? []));
  return new Set(names.filter((name) => !own.has(name)));
}

/** Collects lines that declare pytest plugins. A separate section for that is restored with the old tests. */
function listPluginLines(text: string): readonly string[] {
  const lines = text.split("\n");
  return lines.flatMap((line, at) => {
    if (!/pytest11/.test(line) || /^\s*\[/.test(line)) return [];
    return [line.trim(), ...(/[[({=]\s*$/.test(line) ? listEntriesBelow(lines.slice(at + 1)) : [])];
  });
}

function listEntriesBelow(lines: readonly string[]): readonly string[] {
  const end = lines.findIndex((line) => /^\s*$|^\S|[\])}]/.test(line));
  return (end < 0 ? lines : lines.slice(0, end)).map((line) => line.trim());
}
