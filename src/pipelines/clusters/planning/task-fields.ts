import { readYaml } from "../../../core/text/outside-yaml.ts";
import { WORK_KINDS } from "../../work-kind.ts";
import { extractSection, removeFencedLines } from "../building/findings.ts";
import { parseTaskIds } from "./task-names.ts";

export type TaskFields = { readonly fields: Readonly<Record<string, unknown>>; readonly problem?: string };

/**
 * Parses the fields of a task file: its front matter, or lines such as `**Agent:** documentation-writer`, or headings
 * such as `## Depends On`.
 */
export function parseTaskFields(text: string): TaskFields {
  const [, block] = /^---\r?\n([\s\S]*?)\r?\n?---\s*(?:\r?\n|$)/.exec(text) ?? [];
  // Blanks are collapsed: patterns with adjacent blanks would backtrack through every split.
  const readPlainLines = () => removeFencedLines(text).map((line) => line.replace(/\s+/g, " ").trimEnd());
  if (block === undefined) return { fields: parseFieldLines(readPlainLines().join("\n")) };
  // Reads every value as text: `01` is a name, not a number.
  const read = readYaml(block, { schema: "failsafe" });
  if (!read.ok) return { fields: {}, problem: `expected YAML, found: ${read.problem}` };
  const value = read.value ?? {};
  if (typeof value === "object" && !Array.isArray(value)) return { fields: { ...value } };
  return { fields: {}, problem: `expected a mapping, found ${Array.isArray(value) ? "a list" : typeof value}` };
}

/** Accepted names of each field. */
const FIELD_NAMES = {
  agent: ["agent"],
  kind: ["kind"],
  depends_on: ["depends[_ -]on", "dependencies", "deps"],
  files: ["files", "output files?", "files to (?:change|modify|create)"],
  deletes: ["deletes", "files to (?:delete|remove)"],
} as const;

function parseFieldLines(text: string): Record<string, unknown> {
  const line = (key: keyof typeof FIELD_NAMES): string | undefined => findFieldText(text, FIELD_NAMES[key]);
  const words = (key: keyof typeof FIELD_NAMES): string | undefined =>
    line(key)
      ?.replace(/[`"'*]/g, "")
      .trim();
  const [agent, kind, needs] = [words("agent"), words("kind"), line("depends_on")];
  const [files, deletes] = [line("files"), line("deletes")].map((said) =>
    said === undefined ? undefined : parsePaths(said),
  );
  return {
    ...(agent && { agent }),
    ...(isKind(kind) && { kind }),
    ...(needs !== undefined && { depends_on: needs.split("\n").flatMap((each) => parseTaskIds(stripBullet(each))) }),
    ...(files && { files }),
    ...(deletes && { deletes }),
  };
}

/** Accepts known kinds only, because the word is common in prose. */
const isKind = (word = ""): boolean => WORK_KINDS.some((kind) => kind === word.toLowerCase());

/** Finds a field on a line with its name, or below a heading of that name. */
function findFieldText(text: string, names: readonly string[]): string | undefined {
  const name = `(?:${names.join("|")})`;
  const [, beside] = new RegExp(`^[ \\t*_>-]*${name}[ \\t*_]*:[ \\t*_]*(\\S.*)$`, "im").exec(text) ?? [];
  if (beside !== undefined) return beside.trim();
  const [, title] = new RegExp(`^#{1,6}[ \\t]+(${name})[ \\t]*:?[ \\t]*$`, "im").exec(text) ?? [];
  return title === undefined ? undefined : extractSection(text, title);
}

const stripBullet = (line: string): string => line.replace(/^\s*(?:[-*+]|\d+[.)])\s+/, "");

/** Parses paths: one per line with a remark, or several on one line. */
function parsePaths(said: string): string[] {
  const lines = said
    .replace(/^\[|\]$/g, "")
    .split("\n")
    .map(stripBullet);
  const quoted = lines.flatMap((line) => [...line.matchAll(/`([^`\s]+)`/g)].map(([, path = ""]) => path));
  if (quoted.length > 0) return quoted;
  const first = lines.map((line) => line.split(/\s+[—–(]/)[0] ?? "");
  return first
    .flatMap((line) => line.split(/[\s,]+/))
    .map((word) => word.replace(/["']/g, ""))
    .filter(isPath);
}

const isPath = (word: string): boolean => word !== "" && !/^(?:none|n\/?a|[-—–]+)$/i.test(word);
