import { getSearchWord } from "./mention.ts";

/**
 * Returns whether the test passes its results to a function of this source and asserts only its answer:
 * `assert.ok(isSame(fee(200), 20))`. Changing `isSame` changes what the test requires, although the product exports it.
 */
export function isAssertingThrough(test: string, path: string): boolean {
  const names = listImportedNames(test, getSearchWord(path));
  const calls = names.map((name) => new RegExp(`${BELIEVES}!?${name}\\([^\\n]*\\w\\(`));
  return calls.some((call) => call.test(test));
}

const BELIEVES =
  "(?:\\bassert(?:\\.(?:ok|equal|strictEqual|isTrue|true))?\\(\\s*|\\bexpect\\(\\s*|\\bassert(?:True|_true|!)?[ (]\\s*|\\bt\\.(?:true|ok|truthy)\\(\\s*|\\bself\\.assert(?:True|False)\\(\\s*|\\bif !)";

/** Lists names that are imported from a module of this name, in JavaScript and Python. */
function listImportedNames(test: string, word: string): readonly string[] {
  const stem = word.replaceAll(/[^\w-]/g, "");
  const lists = [
    ...test.matchAll(new RegExp(`import\\s*\\{([^}]{1,400})\\}\\s*from\\s*["'][^"'\\n]*\\b${stem}\\b`, "g")),
    ...test.matchAll(new RegExp(`^from\\s+[\\w.]*\\b${stem}\\s+import\\s+([^\\n]{1,400})$`, "gm")),
  ];
  return lists.flatMap(([, list = ""]) => list.match(/[A-Za-z_]\w*(?=\s*(?:,|$|\)))/gm) ?? []);
}
