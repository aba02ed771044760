import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A rule that a pipeline promises to its users, and the declaration that implements it. */
export type KeptRule = {
  readonly id: string;
  readonly rule: string;
  /** A gate, a policy or a declaration can be removed separately; `code` is the shape of the program itself. */
  readonly kind: "gate" | "policy" | "declaration" | "code";
  /** `<path below src>#<name at the top level of that file>` */
  readonly by: string;
};

export type Tagged = { readonly rules: readonly KeptRule[]; readonly problems: readonly string[] };

/** Start of a tag at the beginning of a comment line: other mentions of the word are prose. */
const BEGIN = /^[ \t]*(?:\/\*\*|\/\*|\*|\/\/)[ \t]*(?=@rule\b)/gm;
/** Continues until the next tag, an empty line or the end of the comment. */
const WHOLE = /@rule\b[\s\S]*?(?=\n[ \t]*\*[ \t]*(?:@|\n)|\s*\*\/)/y;
const PARTS = /^@rule ([A-Z]-\d{2}) \((gate|policy|declaration|code)\) (\S.*)$/;
const TOP_LEVEL = /^(?:export )?(?:async )?(?:function\*?|const|let|class|type|interface) (\w+)/gm;
const SHAPE = "expected `@rule X-00 (gate | policy | declaration | code) Sentence.`";

/** Collects the rules of all sources below `root`/src, by id. An id on two declarations belongs to neither. */
export function taggedRules(root: string): Tagged {
  const files = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
    .sort();
  return joined(files.map((file) => rulesIn(file, readFileSync(join(root, "src", file), "utf8"))));
}

export function joined(parts: readonly Tagged[]): Tagged {
  const rules = parts.flatMap((part) => part.rules).toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const twice = [...Map.groupBy(rules, ({ id }) => id)]
    .filter(([, same]) => same.length > 1)
    .map(([id, same]) => `${id}: more than one declaration carries it: ${same.map(({ by }) => by).join(", ")}`);
  return { rules, problems: [...parts.flatMap((part) => part.problems), ...twice] };
}

/** Collects the rules in a file's comments. `path` is below src. */
export function rulesIn(path: string, text: string): Tagged {
  const rules: KeptRule[] = [];
  const problems: string[] = [];
  for (const { 0: before, index } of text.matchAll(BEGIN)) {
    const at = index + before.length;
    const read = readTag(text, at);
    if (typeof read === "string") problems.push(`src/${path}:${text.slice(0, at).split("\n").length}: ${read}`);
    else rules.push({ ...read.said, by: `${path}#${read.name}` });
  }
  return { rules, problems };
}

type ParsedTag = { readonly said: Omit<KeptRule, "by">; readonly name: string };

/** Parses the tag at this position and finds its declaration, or returns what is wrong with it. */
function readTag(text: string, at: number): ParsedTag | string {
  const start = text.lastIndexOf("/**", at);
  const end = text.indexOf("*/", at);
  if (start < 0 || end < 0 || text.slice(start, at).includes("*/"))
    return "a rule stands in a comment that begins with /**";
  WHOLE.lastIndex = at;
  const [whole = ""] = WHOLE.exec(text) ?? [];
  const [, id, kind, rule] = PARTS.exec(whole.replaceAll(/\s*\n[ \t]*\*[ \t]*/g, " ")) ?? [];
  if (id === undefined || kind === undefined || rule === undefined) return SHAPE;
  const name = findDeclaration(text, { start, end });
  if (name === undefined) return `no declaration at the top level carries ${id}`;
  // PARTS matches these four kinds only.
  return { said: { id, rule, kind: kind as KeptRule["kind"] }, name };
}

/** Finds the declaration: right below a comment at the margin, around an indented one. */
function findDeclaration(text: string, { start, end }: { start: number; end: number }): string | undefined {
  const indented = start > 0 && text[start - 1] !== "\n";
  const declarations = [...text.matchAll(TOP_LEVEL)];
  const carrier = indented
    ? declarations.findLast(({ index }) => index < start)
    : declarations.find(({ index }) => index === end + "*/\n".length);
  return carrier?.[1];
}
