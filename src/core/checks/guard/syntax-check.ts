import { z } from "zod";
import type { Finding } from "../../authoring/finding.ts";
import { findYamlFault } from "../../text/outside-yaml.ts";
import { matchesAny } from "./glob.ts";
import { findTomlProblem } from "./toml.ts";

export type ChangedText = {
  readonly path: string;
  /** Text in the starting tree of the work, if the file existed. */
  readonly before?: string | undefined;
  /** Text now. Absent if the file was deleted. */
  readonly after?: string | undefined;
};

/** Built-in check `parses`: new data files, and those that were readable before, are readable now. */
export function checkSyntax(changes: readonly ChangedText[]): readonly Finding[] {
  return changes.flatMap(({ path, before, after }) => {
    const read = selectReader(path);
    if (!read || after === undefined) return [];
    const problem = read(after);
    if (problem === undefined || (before !== undefined && read(before) !== undefined)) return [];
    return [{ severity: "major", message: `${path} cannot be read: ${problem}`, files: [path], by: "parses" }];
  });
}

/** Lists the paths that this check reads. It reports nothing about other files. */
export function listParsedPaths(changes: readonly ChangedText[]): readonly string[] {
  return changes.flatMap(({ path, after }) => (selectReader(path) && after !== undefined ? [path] : []));
}

/** Broken on purpose, or with comments that their readers allow. */
const SKIPPED = [
  "**/{fixtures,__fixtures__,testdata}/**",
  "**/{tsconfig,jsconfig}*.json",
  "**/{.vscode,.devcontainer,.zed}/**",
  "**/{.eslintrc,devcontainer,api-extractor}.json",
];

type SyntaxReader = (text: string) => string | undefined;

function selectReader(path: string): SyntaxReader | undefined {
  if (matchesAny(path, SKIPPED)) return undefined;
  if (matchesAny(path, ["**/package.json"])) return findPackageProblem;
  if (path.endsWith(".json")) return findJsonProblem;
  if (path.endsWith(".yaml") || path.endsWith(".yml")) return findYamlProblem;
  return path.endsWith(".toml") ? findTomlProblem : undefined;
}

function findJsonProblem(text: string): string | undefined {
  const parsed = parseJsonText(text);
  return parsed.ok ? undefined : parsed.problem;
}

const Package = z.object({ name: z.string().optional(), scripts: z.record(z.string(), z.string()).optional() });

function findPackageProblem(text: string): string | undefined {
  const parsed = parseJsonText(text);
  if (!parsed.ok) return parsed.problem;
  const [issue] = Package.safeParse(parsed.value).error?.issues ?? [];
  return issue && `${issue.path.join(".") || "the whole"}: ${issue.message}`;
}

type JsonParse = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly problem: string };

function parseJsonText(text: string): JsonParse {
  try {
    return { ok: true, value: JSON.parse(removeByteOrderMark(text)) };
  } catch (error) {
    return { ok: false, problem: getFirstLine(error) };
  }
}

function findYamlProblem(text: string): string | undefined {
  const problem = findYamlFault(text);
  // Double braces mark a template that becomes YAML later; after a dollar they are an ordinary value.
  return problem !== undefined && /(?:^|[^$])\{\{|\{%/.test(text) ? undefined : problem;
}

function removeByteOrderMark(text: string): string {
  return text.startsWith("\uFEFF") ? text.slice(1) : text;
}

function getFirstLine(error: unknown): string {
  const [line = ""] = String(error instanceof Error ? error.message : error).split("\n");
  return line.slice(0, 200);
}
