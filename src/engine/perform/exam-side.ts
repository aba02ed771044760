import { pathKind } from "../../core/evidence/exam/exam-path.ts";
import { type MentionLine, wordFor } from "../../core/evidence/exam/mention.ts";
import { isImport, type Starts, startedAmong } from "../../core/evidence/exam/started.ts";
import { examAmong, type Use, usesIn } from "../../core/evidence/exam/use.ts";
import type { Workspace } from "../../core/ports/workspace.ts";

export type ExamSide = {
  /** Those of the paths that are the exam in this tree. */
  readonly exam: ReadonlySet<string>;
  /** Those that hold tests which nobody can take out, or of which nobody can say who uses them. */
  readonly unsure: readonly string[];
};

/** Steps from a file to who uses it, and on to who uses that; further away nobody decides by it. */
const MOST_STEPS = 6;
/** Beyond this many, only files are asked for of which their path leaves it open. */
const MOST_FILES = 500;
/** Vitest's tests within a source. */
const IN_SOURCE = "import.meta.vitest";

type Side = { readonly tree: string; readonly paths: readonly string[]; readonly starts: Starts };

/** Which of the paths, all of them in the tree, are the exam there, by their names, by who uses and who starts them. */
export async function examSide(workspace: Workspace, { tree, paths, starts }: Side): Promise<ExamSide> {
  const plain = paths.filter((path) => pathKind(path) !== "mixed");
  const open = plain.filter((path) => pathKind(path) !== "exam");
  const asked = new Set(
    open.length > MOST_FILES ? open.filter((path) => isOpen(path) || starts.programs.has(path)) : open,
  );
  const uses: Use[] = [];
  let next: readonly string[] = [...asked];
  for (let step = 0; step < MOST_STEPS && next.length > 0; step += 1) {
    const lines = await workspace.mentions(tree, [...new Set(next.map(wordFor))]);
    if (!lines) return { exam: examAmong({ files: plain, uses: [] }), unsure: [...asked].filter(isOpen) };
    const found = usesIn(lines, next).filter((use) => isImport(use, starts));
    uses.push(...found);
    next = [...new Set(found.map(({ from }) => from))].filter((path) => isOpen(path) && !asked.has(path));
    for (const path of next) asked.add(path);
  }
  const beside = plain.some(isSupport) ? (await workspace.files("", tree)).filter(isTest) : [];
  const started = startedAmong(plain, uses, starts);
  const exam = new Set([...examAmong({ files: plain, uses, beside }), ...started.exam]);
  const doubtful = started.unsure.filter((path) => !exam.has(path));
  return { exam, unsure: [...doubtful, ...(await inSource(workspace, tree, plain))] };
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
