import { matchesAny } from "../../guard/glob.ts";
import { classifyPath } from "../exam-path.ts";
import { isProse } from "../expectations.ts";
import { OWN, type StartedPrograms } from "../started-programs.ts";
import { listQuoted, type MentionLine } from "./mention.ts";
import { type ExamFile, listSearchWords, mayReadFile } from "./reader.ts";

/** Words of lines that read the file; one of them is required. */
export function listQuietWords(path: string): readonly string[] {
  return [...listSearchWords(toExamFile(path)), ...(isProse(path) ? [getEnding(path)] : [])];
}

/** Selects the files for people and package managers that tests, or programs that a command starts, read too. */
export function selectQuietData(
  paths: readonly string[],
  lines: readonly MentionLine[],
  starts: StartedPrograms,
): readonly string[] {
  const judges = lines.filter(({ path }) => isJudge(path, starts));
  return paths.filter((path) => {
    // A command may install what a lock names.
    const isStarted = isProse(path) && starts.lines.some((line) => line.includes(getLastSegment(path)));
    return isStarted || judges.some((line) => mayReadFile(line, toExamFile(path)) || isReadingKind(line, path));
  });
}

/**
 * Selects the sources that tests read as text, for example the expected output of a generator. Importing or starting a
 * source is not reading it.
 */
export function selectTextData(
  paths: readonly string[],
  lines: readonly MentionLine[],
  starts: StartedPrograms,
): readonly string[] {
  const judges = lines.filter(({ path, text }) => READS.test(text) && !IMPORTS.test(text) && isJudge(path, starts));
  return paths.filter((path) => judges.some(({ text }) => listQuoted(text).some((said) => isSaid(said, path))));
}

const READS = /read|open\w*\(|load|slurp|golden|expected|snapshot|embed|include_(?:str|bytes)/i;
const IMPORTS = /^\s*(?:import|export|from|use|mod|#\s*include)\b|\brequire\(|\bimport\(|\}\s*from\b/;

/** `"../expected/out.js"`, `expected/${name}.js`; a name alone has its folder elsewhere. */
function isSaid(said: string, path: string): boolean {
  const tail = said.replace(/^(?:\.{1,2}\/)+/, "");
  if (path === tail || path.endsWith(`/${tail}`)) return tail.includes(".");
  const [known = "", ...open] = tail.split(/[*$%{]/);
  return open.length > 0 && known.endsWith("/") && path.startsWith(known) && !OWN.test(known);
}

function isJudge(path: string, { programs, led, places }: StartedPrograms): boolean {
  if (["exam", "likely", "support"].includes(classifyPath(path))) return true;
  return programs.has(path) || led.has(path) || (places.length > 0 && matchesAny(path, places));
}

/** `glob("*.md")`, `name.endsWith(".md")`: all of them. */
function isReadingKind({ text }: MentionLine, path: string): boolean {
  const ending = getEnding(path);
  if (!isProse(path) || ending === "") return false;
  return listQuoted(text).some((said) => said === ending || said.endsWith(`*${ending}`) || said.endsWith(`}${ending}`));
}

function toExamFile(path: string): ExamFile {
  return { path, collected: false, sharesName: false, sharesStem: true };
}

function getEnding(path: string): string {
  return /\.\w+$/.exec(path)?.[0] ?? "";
}

function getLastSegment(path: string): string {
  return path.split("/").at(-1) ?? "";
}
