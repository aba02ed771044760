import { pathKind } from "../exam-path.ts";
import { isSource } from "../source-path.ts";
import { isImported, isTestOf, type Use } from "./use.ts";

/** What users begin with, whoever else imports it. */
const ENTRY = /(?:^|\/)(?:index|main|cli|app|server|mod|lib|__init__|__main__)\.\w+$/;

/**
 * Which of the sources may hold what tests expect, although they lie among the code: only tests import them, none is
 * named after them, and one of those tests imports other code of the change as well. A part of the product that nobody
 * else uses looks the same, so they are not the exam for sure. What imports other code of the change is that code's.
 */
export function loneAmong(files: readonly string[], uses: readonly Use[]): readonly string[] {
  const imports = uses.filter(isImported);
  return files.filter((path) => {
    if (pathKind(path) !== "code" || !isSource(path) || ENTRY.test(path)) return false;
    const own = imports.filter(({ to }) => to === path);
    const byTests = own.length > 0 && own.every((use) => isByTests(use) && !isTestOf(use.from, path));
    return byTests && !imports.some(({ from }) => from === path) && own.some(({ from }) => meets(from, path, imports));
  });
}

function isByTests({ from, by }: Use): boolean {
  return by === "exam" || (by === "open" && pathKind(from) === "likely");
}

function meets(test: string, path: string, imports: readonly Use[]): boolean {
  return imports.some(({ from, to }) => from === test && to !== path && pathKind(to) === "code");
}
