import { classifyPath } from "../exam-path.ts";
import { isSource } from "../source-path.ts";

/**
 * Returns whether a CMakeLists.txt differs only by added product sources. It then contains no other decision about
 * tests, and belongs to the code.
 */
export function isAddingSources({ path, before, after }: { path: string; before: string; after: string }): boolean {
  if (!/(?:^|\/)CMakeLists\.txt$/.test(path) || before === "") return false;
  const folder = path.replace(/[^/]*$/, "");
  const [then, now] = [splitListWords(before), splitListWords(after)];
  let [at, call] = [0, ""];
  for (const [index, word] of now.entries()) {
    if (now[index + 1] === "(") call = word.toLowerCase();
    if (word === then[at]) at += 1;
    else if (!BUILDS.has(call) || !isProduct(folder, word)) return false;
  }
  return at === then.length;
}

const BUILDS: ReadonlySet<string> = new Set(["add_executable", "add_library", "target_sources", "set", "list"]);

function isProduct(folder: string, word: string): boolean {
  const path = `${folder}${word.replace(/^\.\//, "")}`;
  return /^[\w./+-]+$/.test(word) && !word.includes("..") && isSource(path) && classifyPath(path) === "code";
}

function splitListWords(text: string): readonly string[] {
  return text.match(/[()\n]|"[^"]*"|[^\s()"]+/g)?.filter((word) => word !== "\n") ?? [];
}
