import { z } from "zod";
import type { Finding } from "../../authoring/finding.ts";
import { yamlFault } from "../../text/outside-yaml.ts";
import { matchesAny } from "./glob.ts";
import { tomlProblem } from "./toml.ts";

export type ChangedText = {
  readonly path: string;
  /** Text in the starting tree of the work, if the file existed. */
  readonly before?: string | undefined;
  /** Text now. Absent if the file was deleted. */
  readonly after?: string | undefined;
};

/** Built-in check `parses`: new data files, and those that were readable before, are readable now. */
export function parseFindings(changes: readonly ChangedText[]): readonly Finding[] {
  return changes.flatMap(({ path, before, after }) => {
    const read = readerOf(path);
    if (!read || after === undefined) return [];
    const problem = read(after);
    if (problem === undefined || (before !== undefined && read(before) !== undefined)) return [];
    return [{ severity: "major", message: `${path} cannot be read: ${problem}`, files: [path], by: "parses" }];
  });
}

/** Lists the paths that this check reads. It reports nothing about other files. */
export function parsedPaths(changes: readonly ChangedText[]): readonly string[] {
  return changes.flatMap(({ path, after }) => (readerOf(path) && after !== undefined ? [path] : []));
}

/** Broken on purpose, or with comments that their readers allow. */
const SKIPPED = [
  "**/{fixtures,__fixtures__,testdata}/**",
  "**/{tsconfig,jsconfig}*.json",
  "**/{.vscode,.devcontainer,.zed}/**",
  "**/{.eslintrc,devcontainer,api-extractor}.json",
];

type Reader = (text: string) => string | undefined;

function readerOf(path: string): Reader | undefined {
  if (matchesAny(path, SKIPPED)) return undefined;
  if (matchesAny(path, ["**/package.json"])) return packageProblem;
  if (path.endsWith(".json")) return jsonProblem;
  if (path.endsWith(".yaml") || path.endsWith(".yml")) return yamlProblem;
  return path.endsWith(".toml") ? tomlProblem : undefined;
}

function jsonProblem(text: string): string | undefined {
  const parsed = parsedJson(text);
  return parsed.ok ? undefined : parsed.problem;
}

const Package = z.object({ name: z.string().optional(), scripts: z.record(z.string(), z.string()).optional() });

function packageProblem(text: string): string | undefined {
  const parsed = parsedJson(text);
  if (!parsed.ok) return parsed.problem;
  const [issue] = Package.safeParse(parsed.value).error?.issues ?? [];
  return issue && `${issue.path.join(".") || "the whole"}: ${issue.message}`;
}

type Parsed = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly problem: string };

function parsedJson(text: string): Parsed {
  try {
    return { ok: true, value: JSON.parse(withoutMark(text)) };
  } catch (error) {
    return { ok: false, problem: firstLine(error) };
  }
}

function yamlProblem(text: string): string | undefined {
  const problem = yamlFault(text);
  // Double braces mark a template that becomes YAML later; after a dollar they are an ordinary value.
  return problem !== undefined && /(?:^|[^$])\{\{|\{%/.test(text) ? undefined : problem;
}

function withoutMark(text: string): string {
  return text.startsWith("\uFEFF") ? text.slice(1) : text;
}

function firstLine(error: unknown): string {
  const [line = ""] = String(error instanceof Error ? error.message : error).split("\n");
  return line.slice(0, 200);
}
