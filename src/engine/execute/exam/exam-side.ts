import { pathKind } from "../../core/evidence/exam/exam-path.ts";
import { type MentionLine, wordFor } from "../../core/evidence/exam/mention.ts";
import { fromPlace, placedAmong } from "../../core/evidence/exam/places.ts";
import { isShadow } from "../../core/evidence/exam/shadow.ts";
import { isImport, type Starts, startedAmong } from "../../core/evidence/exam/started.ts";
import { examAmong, type Use, usesIn } from "../../core/evidence/exam/use.ts";
import type { Workspace } from "../../core/ports/workspace.ts";
import { discoveredSide, vendoredSide } from "./exam-packages.ts";

export type ExamSide = {
  /** Those of the paths that are the exam in this tree. */
  readonly exam: ReadonlySet<string>;
  /** Those that only the search for tests loads: no part of the old exam's code, and no test of the new one. */
  readonly aside: ReadonlySet<string>;
  /** Those that hold tests which nobody can take out, or of which nobody can say who uses them. */
  readonly unsure: readonly string[];
};

/** Steps from a file to who uses it, and on to who uses that; further away nobody decides by it. */
const MOST_STEPS = 6;
/** Beyond this many, only files are asked for of which their path leaves it open. */
const MOST_FILES = 500;
/** Vitest's tests within a source. */
const IN_SOURCE = "import.meta.vitest";

type Side = {
  readonly tree: string;
  readonly paths: readonly string[];
  readonly starts: Starts;
  /** Those of the paths that the other tree does not have, where this is the new one. */
  readonly added?: ReadonlySet<string>;
};

/** Which of the paths, all of them in the tree, are the exam there, by their names, by who uses and who starts them. */
export async function examSide(workspace: Workspace, side: Side): Promise<ExamSide> {
  const used = await usedSide(workspace, side);
  const vendored = await vendoredSide(workspace, side);
  const aside = await discoveredSide(workspace, side);
  return {
    exam: new Set([...used.exam, ...vendored.exam]),
    aside: new Set(aside),
    unsure: [...used.unsure, ...vendored.unsure],
  };
}

async function usedSide(workspace: Workspace, side: Side): Promise<Omit<ExamSide, "aside">> {
  const { tree, starts, added = new Set() } = side;
  const plain = side.paths.filter((path) => pathKind(path) !== "mixed");
  const open = plain.filter((path) => pathKind(path) !== "exam");
  const first = open.length > MOST_FILES ? open.filter(isUndecidedBy(starts)) : open;
  const shadows = [...added].filter(isShadow);
  const seen = await seenUses(workspace, side, first);
  if (!seen) {
    const exam = new Set([...examAmong({ files: plain, uses: [] }), ...shadows]);
    return { exam, unsure: first.filter(isUndecidedBy(starts)) };
  }
  const started = startedAmong(seen.files, seen.uses, starts);
  const placed = placedAmong(plain, seen.uses, starts);
  const starters = new Set([...started.exam, ...placed.exam]);
  const uses = seen.uses.map((use): Use => (starters.has(use.from) ? { ...use, by: "exam" } : use));
  const beside = plain.some(isSupport) ? (await workspace.files("", tree)).filter(isTest) : [];
  const exam = new Set([...examAmong({ files: plain, uses, beside }), ...starters, ...shadows]);
  const doubtful = [...started.unsure, ...placed.unsure].filter((path) => !exam.has(path) && plain.includes(path));
  return { exam, unsure: [...doubtful, ...(await inSource(workspace, tree, plain))] };
}

type Seen = { readonly files: readonly string[]; readonly uses: readonly Use[] };

/** Who uses the files, and those of whom that is the question too; undefined where too much is found. */
async function seenUses(workspace: Workspace, side: Side, first: readonly string[]): Promise<Seen | undefined> {
  const { tree, paths, starts, added } = side;
  const changed = new Set(paths);
  const counts = (use: Use) => isImport(use, starts) && !(added && vouchesForNew(use, { changed, added }));
  const isFollowed = (path: string) => isUndecidedBy(starts)(path) || starts.led.has(path);
  const [files, uses] = [new Set(first), [] as Use[]];
  let next = first;
  for (let step = 0; step < MOST_STEPS && next.length > 0; step += 1) {
    const lines = await workspace.mentions(tree, [...new Set(next.map(wordFor))]);
    if (!lines) return undefined;
    const found = usesIn(lines, next)
      .filter(counts)
      .map((use) => fromPlace(use, starts));
    uses.push(...found);
    next = [...new Set(found.map(({ from }) => from))].filter((path) => isFollowed(path) && !files.has(path));
    for (const path of next) files.add(path);
  }
  return { files: [...files], uses };
}

function isUndecidedBy({ programs }: Starts) {
  return (path: string) => isOpen(path) || programs.has(path);
}

type New = { readonly changed: ReadonlySet<string>; readonly added: ReadonlySet<string> };

/** Who made the change wrote both: that one is code cannot be had from the other. */
function vouchesForNew({ from, to, by }: Use, { changed, added }: New): boolean {
  return by !== "exam" && changed.has(from) && (added.has(to) || !changed.has(to));
}

function isSupport(path: string): boolean {
  return pathKind(path) === "support";
}

function isTest(path: string): boolean {
  return pathKind(path) === "exam";
}

function isOpen(path: string): boolean {
  return pathKind(path) === "likely" || isSupport(path);
}

async function inSource(workspace: Workspace, tree: string, paths: readonly string[]): Promise<readonly string[]> {
  const lines: readonly MentionLine[] = (await workspace.mentions(tree, [IN_SOURCE])) ?? [];
  const holders = new Set(lines.map(({ path }) => path));
  return paths.filter((path) => pathKind(path) === "code" && /\.[cm]?[jt]sx?$/.test(path) && holders.has(path));
}
