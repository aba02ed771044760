import {
  type DetectedCommand,
  type DetectedProject,
  type DetectedSetup,
  formatCommandLine,
  type ProjectFiles,
} from "./detected.ts";
import { type Ecosystem, findMark } from "./ecosystems/ecosystem.ts";
import { ECOSYSTEMS } from "./ecosystems/index.ts";
import { strangers } from "./ecosystems/unsupported.ts";
import { findUncoveredPackages, isSearchedFolder } from "./nested-packages.ts";

export type { DetectedProject } from "./detected.ts";

/** Detected project of one ecosystem in one folder; the top is "". */
type FoundProject = DetectedProject & { readonly ecosystem: Ecosystem; readonly folder: string };

/**
 * Detects the checks that a project declares, at the top and in packages below whose ecosystem the top does not check.
 * The same check of another language gets a suffix (`test-go`), and that of a package its folder (`test-web`). Recipe
 * files only add missing checks, because their recipes mostly call the others. The set-ups of all these checks are
 * joined into one line.
 */
export function detectProjectChecks(project: ProjectFiles): DetectedProject {
  const top = at("", project);
  const spoken = new Set(top.filter(({ commands }) => commands.length > 0).map(({ ecosystem }) => ecosystem.name));
  const { packages, left } = findUncoveredPackages(project, spoken);
  const found = [...top, ...packages.flatMap(({ folder, files }) => at(folder, files))];
  const plain = found.filter(({ ecosystem }) => !ecosystem.fills);
  const own = assignCheckNames(plain);
  const filling = found
    .filter(({ ecosystem }) => ecosystem.fills)
    .flatMap(({ commands }) => commands)
    .filter(({ name }, index, all) => [...own, ...all.slice(0, index)].every((each) => each.name !== name));
  const prepared = plain.filter(({ commands }) => commands.length > 0 || filling.length > 0);
  const setup = joinSetups(prepared.flatMap((each) => (each.setup ? [{ ...each.setup, folder: each.folder }] : [])));
  const unknown = [
    ...found.flatMap(listUnknown),
    ...listUnsupported(project, own.length + filling.length === 0),
    ...left,
  ];
  return {
    commands: [...own, ...filling],
    ...(setup ? { setup } : {}),
    ...(unknown.length > 0 ? { unknown } : {}),
  };
}

/** Detects commands under the assumption that every program is installed and only the names at the top are known. */
export function detectCommands(files: ReadonlyMap<string, string>, names: readonly string[]): DetectedProject {
  return detectProjectChecks({ files, names: new Set(names), paths: names, missing: new Set() });
}

const ASKED: readonly string[] = ECOSYSTEMS.flatMap(({ marks, reads = [] }) => [...marks, ...reads]);

/** Returns whether the text of this file is needed. */
export function isAsked(path: string): boolean {
  const at = path.lastIndexOf("/");
  const name = path.slice(at + 1);
  if (at > 0 && !isSearchedFolder(path.slice(0, at))) return false;
  return ASKED.some((mark) => (mark.startsWith("*") ? name.endsWith(mark.slice(1)) : name === mark));
}

function at(folder: string, project: ProjectFiles): readonly FoundProject[] {
  return ECOSYSTEMS.filter((each) => findMark(each, project.names) !== undefined && (folder === "" || !each.fills)).map(
    (ecosystem) => ({ ...ecosystem.find(project), ecosystem, folder }),
  );
}

/** Names the checks. A check keeps its name if it is the only one, or the first at the top. */
function assignCheckNames(found: readonly FoundProject[]): readonly DetectedCommand[] {
  const count = Map.groupBy(
    found.flatMap(({ commands }) => commands),
    ({ name }) => name,
  );
  const taken = new Set<string>();
  return found.flatMap(({ commands, ecosystem, folder }) =>
    commands.map(({ name, run, from }) => {
      const isPlain = !taken.has(name) && (folder === "" || (count.get(name)?.length ?? 0) === 1);
      const longer = [
        ecosystem.name,
        folder.split("/").at(-1),
        folder.replaceAll("/", "-"),
        `${folder}-${ecosystem.name}`,
      ]
        .filter((part) => part !== undefined && part !== "" && (folder === "" || part !== ecosystem.name))
        .map((part) => `${name}-${String(part).replaceAll(/[^\w-]/g, "-")}`);
      const free = isPlain ? name : (longer.find((each) => !taken.has(each)) ?? `${name}-${taken.size}`);
      taken.add(free);
      return { name: free, run, from: joinFolder(folder, from), ...(folder === "" ? {} : { cwd: folder }) };
    }),
  );
}

type FolderSetup = DetectedSetup & { readonly folder: string };

/** Cached for other checkouts only if every part may be cached. */
function joinSetups(setups: readonly FolderSetup[]): DetectedSetup | undefined {
  const [first, ...others] = setups;
  if (!first) return undefined;
  const run = setups
    .map(({ run: line, folder }) => formatInFolder(line, { folder, alone: others.length === 0 }))
    .join(" && ");
  const isKept = setups.every(({ lockFile, folder }) => lockFile !== undefined && folder === "");
  return { run, from: joinFolder(first.folder, first.from), ...(isKept ? { lockFile: first.lockFile ?? "" } : {}) };
}

function formatInFolder(line: string, { folder, alone }: { readonly folder: string; readonly alone: boolean }): string {
  if (folder === "") return line;
  const there = formatCommandLine({ run: line, cwd: folder });
  return alone ? there : `(${there})`;
}

const joinFolder = (folder: string, path: string): string => (folder === "" ? path : `${folder}/${path}`);

function listUnknown({ unknown = [], folder }: FoundProject): readonly string[] {
  return unknown.map((each) => (folder === "" ? each : `${folder}: ${each}`));
}

function listUnsupported({ names }: ProjectFiles, alone: boolean): readonly string[] {
  const marks = [...strangers.marks, ...(alone ? strangers.lonely : [])];
  const seen = marks.filter((mark) => findMark({ marks: [mark] }, names) !== undefined);
  return seen.map(strangers.says);
}
