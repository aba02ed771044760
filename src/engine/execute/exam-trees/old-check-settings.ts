import type { Change } from "../../../core/authoring/observations.ts";
import { mayCheckText } from "../../../core/checks/detect/text-check.ts";
import {
  isCheckManifest,
  isCheckSettings,
  isTypeSettings,
  type RestoreInput,
  restoreCheckSettings,
} from "../../../core/checks/exam/check-settings.ts";
import {
  isCoverageMeasured,
  isCoverageRequired,
  isCoverageSettings,
  mayDemandCoverage,
} from "../../../core/checks/exam/coverage.ts";
import { readManifestScripts } from "../../../core/checks/exam/parts/json-parts.ts";
import { isSource } from "../../../core/checks/exam/source-path.ts";
import type { StartedPrograms } from "../../../core/checks/exam/started-programs.ts";
import { mayImport } from "../../../core/checks/exam/uses/mention.ts";
import { findUses } from "../../../core/checks/exam/uses/use.ts";
import type { ExamRequest, ExamTrees } from "../../../core/journal/effect.ts";
import type { Workspace } from "../../../core/ports/workspace.ts";

/** Most settings files to follow in a repository. */
const MOST_FILES = 100;
const MOST_STEPS = 4;

type CheckSettingsOrder = {
  readonly request: ExamRequest;
  readonly changes: readonly Change[];
  readonly starts: StartedPrograms;
  /** Files that define the installed packages, if the change affects them. */
  readonly packages: readonly string[];
};

/**
 * Composes the new tree with the old settings and scripts of its linters and type checkers. Absent if these require no
 * less than before, or if no command may read them.
 * @rule A-39 (gate) A check of text whose settings or script changed also runs with the old ones on the new code.
 */
export async function composeOldCheckSettings(
  workspace: Workspace,
  { request, changes, starts, packages }: CheckSettingsOrder,
): Promise<Pick<ExamTrees, "oldSettings">> {
  const { old, new: tree, lines = [] } = request;
  const scripts = readManifestScripts((await workspace.file("package.json", old))?.text ?? "");
  const judges = lines.filter((run) => mayCheckText({ run }, scripts));
  const measuring = (await findMeasuringLines(workspace, { old, lines, scripts })).filter(
    (run) => !judges.includes(run),
  );
  const checks = [...judges, ...measuring];
  const isOpen = (path: string) => measuring.length > 0 && isCoverageSettings(path);
  const settings =
    checks.length > 0 ? await selectChangedSettings(workspace, { request, changes, starts, isOpen }) : [];
  if (settings.length === 0) return {};
  const [before, after] = await Promise.all([workspace.files("", old), workspace.files("", tree)]);
  const [wasThere, isThere] = [createPathTest(before), createPathTest(after)];
  const restored = await Promise.all(
    settings.map(({ path, status }) =>
      restoreFile(workspace, { path, status, request, lines: starts.lines, wasThere, isThere }),
    ),
  );
  const paths = restored.flatMap((each) => (typeof each === "string" ? [each] : []));
  const texts = restored.flatMap((each) => (typeof each === "object" ? [each] : []));
  const composed = await workspace.compose(tree, { from: old, paths, texts });
  if (composed === tree) return {};
  const others = packages.filter((path) => !texts.some((each) => each.path === path));
  const installed = await workspace.compose(composed, { from: old, paths: others, texts: [] });
  return {
    oldSettings: {
      tree: composed,
      ...(installed === composed ? {} : { oldPackages: installed }),
      paths: [...paths, ...texts.map(({ path }) => path)].sort(),
      lines: checks,
      ...(measuring.length > 0 ? { measuring } : {}),
    },
  };
}

type FileInput = Pick<RestoreInput, "path" | "lines" | "wasThere" | "isThere"> &
  Pick<Change, "status"> & { readonly request: ExamRequest };

/** Returns the path of a file to restore, or the text it gets; undefined if it requires no less than before. */
async function restoreFile(workspace: Workspace, { status, request, ...input }: FileInput) {
  const { path, wasThere } = input;
  const readSide = async (tree: string) => (await workspace.file(path, tree))?.text;
  const [then, now] = await Promise.all([status === "added" ? "" : readSide(request.old), readSide(request.new)]);
  // Settings of a new folder apply to new files alone, and a TypeScript project is read only if another file names it.
  const isApart = isTypeSettings(path) || isCheckManifest(path) || !wasThere(path.replace(/\/?[^/]*$/, ""));
  if (status === "added" && isApart) return undefined;
  if (then === undefined || now === undefined || status === "deleted") return path;
  const restored = restoreCheckSettings({ ...input, before: then, after: now });
  if (restored === now) return undefined;
  return restored === then ? path : { path, text: restored };
}

/** Selects settings by name, by options of a command line, and by what those extend or import. */
async function selectChangedSettings(
  workspace: Workspace,
  { request, changes, starts, isOpen }: Omit<CheckSettingsOrder, "packages"> & { isOpen(path: string): boolean },
): Promise<readonly Change[]> {
  const known = new Set((await workspace.files("", request.old)).filter(isCheckSettings).slice(0, MOST_FILES));
  const open = changes.map(({ path }) => path).filter((path) => !known.has(path) && !isCheckSettings(path));
  for (const path of open) if (starts.lines.some((line) => isOption(line, path))) known.add(path);
  let next = [...known].filter((path) => !isCheckManifest(path));
  for (let step = 0; step < MOST_STEPS && next.length > 0; step += 1) {
    const texts = await Promise.all(
      next.map(async (path) => ({ path, file: await workspace.file(path, request.old) })),
    );
    const lines = texts.flatMap(({ path, file }) =>
      (file?.text ?? "")
        .split("\n")
        .flatMap((readSide) => (mayExtend({ path, text: readSide }) ? [{ path, text: readSide }] : [])),
    );
    next = [...new Set((findUses(lines, open) ?? []).map(({ to }) => to))].filter((path) => !known.has(path));
    for (const path of next) known.add(path);
  }
  return changes.filter(({ path }) => known.has(path) || isCheckSettings(path) || isOpen(path));
}

type MeasuringOrder = {
  readonly old: string;
  readonly lines: readonly string[];
  readonly scripts: Readonly<Record<string, unknown>>;
};

/**
 * Lists the lines that may require coverage, by their words or scripts; all of them if settings of the old tree require
 * it.
 */
export async function findMeasuringLines(
  workspace: Workspace,
  { old, lines, scripts }: MeasuringOrder,
): Promise<readonly string[]> {
  const named = lines.filter((run) => isCoverageMeasured(run, scripts));
  if (named.length > 0 || lines.length === 0) return named;
  const paths = (await workspace.files("", old)).filter(mayDemandCoverage).slice(0, MOST_FILES);
  const texts = await Promise.all(paths.map(async (path) => (await workspace.file(path, old))?.text ?? ""));
  return texts.some(isCoverageRequired) ? lines : [];
}

/** Matches `-c tools/lint.json` and `--project=config/build.json`. */
function isOption(line: string, path: string): boolean {
  const words = line.split(/[\s=]+/).map((word) => word.replaceAll(/^["']?(?:\.\/)?|["']$/g, ""));
  return words.some((word, at) => word === path && /^--?[a-z]/.test(words[at - 1] ?? ""));
}

function mayExtend({ path, text: readSide }: { readonly path: string; readonly text: string }): boolean {
  return isSource(path)
    ? mayImport(readSide)
    : /extends?\b|config|ignore|plugins?\b|rules?-?dir|inherit/i.test(readSide);
}

/** Tells whether a path is a file, or a folder with files in it. */
function createPathTest(files: readonly string[]): (path: string) => boolean {
  const known = new Set(files);
  for (const file of files) {
    for (let at = file.lastIndexOf("/"); at > 0; at = file.lastIndexOf("/", at - 1)) known.add(file.slice(0, at));
  }
  return (path) => {
    const plain = path.replace(/\/+$/, "");
    return plain === "" || plain === "." || known.has(plain);
  };
}
