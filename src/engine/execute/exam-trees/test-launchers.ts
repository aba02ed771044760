import { classifyMention } from "../../../core/checks/exam/judging-files.ts";
import { collectPathWords, type LeadingText, type PathWords } from "../../../core/checks/exam/leading-words.ts";
import { isTestLauncher, OWN } from "../../../core/checks/exam/started-programs.ts";
import { findUses } from "../../../core/checks/exam/uses/use.ts";

export type ReadText = (path: string) => Promise<string>;

type JudgeSearch = {
  readonly files: readonly string[];
  readonly textOf: ReadText;
  readonly texts: readonly LeadingText[];
  readonly programs: ReadonlySet<string>;
};

export type TestLaunchers = { readonly words: PathWords; readonly beside: ReadonlyMap<string, string> };

/** Steps from a text to the programs that it may run, and on to what these run. */
const MOST_STEPS = 8;
const MOST_FILES = 200;

/** Collects the words and files that lead to tests, and the files that such programs import next to them. */
export async function findTestLaunchers({ files, textOf, texts, programs }: JudgeSearch): Promise<TestLaunchers> {
  const [all, known, beside] = [[...texts], new Set<string>(), new Map<string, string>()];
  const own = files.filter((path) => !OWN.test(path));
  let words = collectPathWords(all);
  for (let step = 0; step < MOST_STEPS; step += 1) {
    const isJudge = (path: string) => programs.has(path) || beside.has(path) || classifyMention(path, words) === "run";
    const fresh = own.filter((path) => !known.has(path) && isJudge(path)).slice(0, MOST_FILES - known.size);
    if (fresh.length === 0) break;
    for (const path of fresh) {
      known.add(path);
      const text = await textOf(path);
      all.push(...toLeadingTexts(path, text));
      for (const to of listImportedBeside({ path, text, files: own })) beside.set(to, getFolderPath(path));
    }
    words = collectPathWords(all);
  }
  return { words, beside };
}

export function isShell(path: string): boolean {
  return /\.(?:sh|bash)$|(?:^|\/)[^/.]+$/.test(path);
}

function toLeadingTexts(path: string, text: string): readonly LeadingText[] {
  const folders = ["", getFolderPath(path)];
  if (isShell(path)) return [{ text, folders, kind: "line" }];
  return isTestLauncher(text) ? [{ text, folders, kind: "program" }] : [];
}

type LauncherProgram = { readonly path: string; readonly text: string; readonly files: readonly string[] };

/** Files in the program's own folder, or below it, support it; at the top they would be the product. */
function listImportedBeside({ path, text, files }: LauncherProgram): readonly string[] {
  const folder = getFolderPath(path);
  if (folder === "") return [];
  const near = files.filter((each) => each.startsWith(folder));
  const lines = text.split("\n").map((each) => ({ path, text: each }));
  return (findUses(lines, near) ?? []).map(({ to }) => to);
}

function getFolderPath(path: string): string {
  return path.replace(/[^/]*$/, "");
}
