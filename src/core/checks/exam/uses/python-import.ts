import type { MentionLine } from "./mention.ts";

/** Lists the words that start an import which may name the file on a later line. */
export function listImportHeads(path: string): readonly string[] {
  if (!path.endsWith(".py")) return [];
  const folder = path.split("/").at(-2);
  return [`. import`, ...(folder === undefined ? [] : [`${folder} import`])];
}

/** Returns the lines, with an import for each name that a multi-line import has on a line of its own. */
export function unfoldImports(lines: readonly MentionLine[]): readonly MentionLine[] {
  const more: MentionLine[] = [];
  let head: MentionLine | undefined;
  for (const line of lines.filter(({ path }) => path.endsWith(".py"))) {
    const [, begun] = HEAD.exec(line.text) ?? [];
    if (begun !== undefined) head = { path: line.path, text: begun };
    else if (head?.path === line.path && NAMES.test(line.text)) {
      more.push({ path: line.path, text: `${head.text} ${line.text.replace(/#.*$/, "").trim()}` });
    } else head = undefined;
  }
  return more.length > 0 ? [...lines, ...more] : lines;
}

/** Unterminated: an open bracket, or a backslash at the end. */
const HEAD = /^\s*(from\s+[.\w]+\s+import)\s*(?:\([^)]*|.*\\)$/;
const NAMES = /^\s*\w+(?:\s+as\s+\w+)?(?:\s*,\s*\w+(?:\s+as\s+\w+)?){0,50}\s*,?\s*\)?\s*\\?\s*(?:#.*)?$/;
