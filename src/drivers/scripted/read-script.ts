import { type Document, isNode, LineCounter, parseDocument } from "yaml";
import type { z } from "zod";
import { SignalboxError } from "../../core/failure/errors.ts";
import { findNearestWord } from "../../core/text/did-you-mean.ts";
import { readYaml, type YamlBounds } from "../../core/text/outside-yaml.ts";
import { KNOWN_KEYS, type Script, ScriptFile } from "./script.ts";

/** Reads an agents file. Each problem is reported with line, rule, field, expected and actual value. */
export function readScript(text: string, file = "the agents file"): Script {
  const read = readYaml(text, { bounds: BOUNDS });
  if (!read.ok)
    throw createInvalidScriptError(file, [
      `${read.line === undefined ? "" : `line ${read.line}: `}not YAML: ${read.fault}`,
    ]);
  const { value } = read;
  const parsed = ScriptFile.safeParse(value);
  if (parsed.success) return { file, agents: parsed.data.agents };
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: false });
  const place: ScriptPosition = { document, lines, value };
  throw createInvalidScriptError(
    file,
    dropEchoes(parsed.error.issues).flatMap((issue) => describeIssue(issue, place)),
  );
}

/** Large, because a recording contains whole files. */
const BOUNDS: YamlBounds = { chars: 8 * 1024 * 1024, tokens: 300_000, depth: 64, aliases: 1_000 };

type KeyPath = readonly PropertyKey[];
type ScriptPosition = { readonly document: Document; readonly lines: LineCounter; readonly value: unknown };

/** Drops issues about a missing key in entries whose only problem is a misspelled key. */
function dropEchoes(issues: readonly z.core.$ZodIssue[]): readonly z.core.$ZodIssue[] {
  const misspelled = new Set(
    issues.filter((issue) => issue.code === "unrecognized_keys").map((issue) => issue.path.join()),
  );
  return issues.filter((issue) => issue.code !== "custom" || !misspelled.has(issue.path.join()));
}

function describeIssue(issue: z.core.$ZodIssue, place: ScriptPosition): string[] {
  if (issue.code === "unrecognized_keys") return issue.keys.map((key) => formatUnknownKey([...issue.path, key], place));
  const expected = issue.code === "invalid_type" ? `expected ${issue.expected}` : issue.message;
  return [`${formatPosition(issue.path, place)}: ${expected}, found ${formatValue(getValue(place.value, issue.path))}`];
}

function formatUnknownKey(path: KeyPath, place: ScriptPosition): string {
  const key = String(path.at(-1));
  const known = listKnownKeys(path.slice(0, -1));
  const close = findNearestWord(key, known);
  const advice = close ? `did you mean "${close}"?` : `known keys: ${known.join(", ")}`;
  return `${formatPosition(path, place)}: unknown key "${key}"; ${advice}`;
}

/** agents · agents[n] · agents[n].do[m] · agents[n].do[m].write */
function listKnownKeys(path: KeyPath): readonly string[] {
  if (path.length === 0) return KNOWN_KEYS.file;
  if (path.length === 2) return KNOWN_KEYS.rule;
  return path.at(-1) === "write" ? KNOWN_KEYS.write : KNOWN_KEYS.action;
}

function formatPosition(path: KeyPath, place: ScriptPosition): string {
  const rule = typeof path[1] === "number" ? `, rule ${path[1] + 1}` : "";
  const field = typeof path[1] === "number" ? path.slice(2) : path;
  const named = field.length > 0 ? `, ${formatField(field)}` : "";
  return `line ${findLine(path, place)}${rule}${named}`;
}

function formatField(path: KeyPath): string {
  return path
    .map((part, index) => (typeof part === "number" ? `[${part + 1}]` : `${index > 0 ? "." : ""}${String(part)}`))
    .join("");
}

/** Returns the line of the value, or of the closest enclosing node that exists. */
function findLine(path: KeyPath, { document, lines }: ScriptPosition): number {
  for (let length = path.length; length > 0; length -= 1) {
    const node = document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
  }
  return 1;
}

function getValue(value: unknown, path: KeyPath): unknown {
  return path.reduce<unknown>(
    (inner, part) => (typeof inner === "object" && inner !== null ? Reflect.get(inner, part) : undefined),
    value,
  );
}

const MOST_SHOWN = 60;

function formatValue(value: unknown): string {
  if (value === undefined || value === null) return "nothing";
  const json = JSON.stringify(value);
  return json.length > MOST_SHOWN ? `${json.slice(0, MOST_SHOWN)}…` : json;
}

function createInvalidScriptError(file: string, problems: readonly string[]): SignalboxError {
  return new SignalboxError(
    "SCRIPT_INVALID",
    `The agents file ${file} is invalid:\n${problems.map((problem) => `  ${problem}`).join("\n")}`,
    "Fix these lines. A rule has keys to match, a list `do`, and `output` or `reply`.",
  );
}
