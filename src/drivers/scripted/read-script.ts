import { type Document, isNode, LineCounter, parseDocument } from "yaml";
import type { z } from "zod";
import { SignalboxError } from "../../core/failure/errors.ts";
import { nearest } from "../../core/text/did-you-mean.ts";
import { readYaml, type YamlBounds } from "../../core/text/outside-yaml.ts";
import { KNOWN_KEYS, type Script, ScriptFile } from "./script.ts";

/** Reads an agents file; every mistake in it is named with line, rule, field, what was expected and what is there. */
export function readScript(text: string, file = "the agents file"): Script {
  const read = readYaml(text, { bounds: BOUNDS });
  if (!read.ok) throw invalid(file, [`${read.line === undefined ? "" : `line ${read.line}: `}not YAML: ${read.fault}`]);
  const { value } = read;
  const parsed = ScriptFile.safeParse(value);
  if (parsed.success) return { file, agents: parsed.data.agents };
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: false });
  const place: ScriptPosition = { document, lines, value };
  throw invalid(
    file,
    withoutEchoes(parsed.error.issues).flatMap((issue) => describe(issue, place)),
  );
}

/** A recording holds whole files. */
const BOUNDS: YamlBounds = { chars: 8 * 1024 * 1024, tokens: 300_000, depth: 64, aliases: 1_000 };

type Path = readonly PropertyKey[];
type ScriptPosition = { readonly document: Document; readonly lines: LineCounter; readonly value: unknown };

/** An entry whose only fault is a misspelled key would also be said to lack the key that was meant. */
function withoutEchoes(issues: readonly z.core.$ZodIssue[]): readonly z.core.$ZodIssue[] {
  const misspelled = new Set(
    issues.filter((issue) => issue.code === "unrecognized_keys").map((issue) => issue.path.join()),
  );
  return issues.filter((issue) => issue.code !== "custom" || !misspelled.has(issue.path.join()));
}

function describe(issue: z.core.$ZodIssue, place: ScriptPosition): string[] {
  if (issue.code === "unrecognized_keys") return issue.keys.map((key) => unknownKey([...issue.path, key], place));
  const expected = issue.code === "invalid_type" ? `expected ${issue.expected}` : issue.message;
  return [`${whereIs(issue.path, place)}: ${expected}, found ${shown(valueAt(place.value, issue.path))}`];
}

function unknownKey(path: Path, place: ScriptPosition): string {
  const key = String(path.at(-1));
  const known = knownAt(path.slice(0, -1));
  const close = nearest(key, known);
  const advice = close ? `did you mean "${close}"?` : `known here: ${known.join(", ")}`;
  return `${whereIs(path, place)}: unknown key "${key}"; ${advice}`;
}

/** agents · agents[n] · agents[n].do[m] · agents[n].do[m].write */
function knownAt(path: Path): readonly string[] {
  if (path.length === 0) return KNOWN_KEYS.file;
  if (path.length === 2) return KNOWN_KEYS.rule;
  return path.at(-1) === "write" ? KNOWN_KEYS.write : KNOWN_KEYS.action;
}

function whereIs(path: Path, place: ScriptPosition): string {
  const rule = typeof path[1] === "number" ? `, rule ${path[1] + 1}` : "";
  const field = typeof path[1] === "number" ? path.slice(2) : path;
  const named = field.length > 0 ? `, ${fieldName(field)}` : "";
  return `line ${lineOf(path, place)}${rule}${named}`;
}

function fieldName(path: Path): string {
  return path
    .map((part, index) => (typeof part === "number" ? `[${part + 1}]` : `${index > 0 ? "." : ""}${String(part)}`))
    .join("");
}

/** The line of the value itself, or of the closest thing around it that is there. */
function lineOf(path: Path, { document, lines }: ScriptPosition): number {
  for (let length = path.length; length > 0; length -= 1) {
    const node = document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
  }
  return 1;
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (inner, part) => (typeof inner === "object" && inner !== null ? Reflect.get(inner, part) : undefined),
    value,
  );
}

const MOST_SHOWN = 60;

function shown(value: unknown): string {
  if (value === undefined || value === null) return "nothing";
  const json = JSON.stringify(value);
  return json.length > MOST_SHOWN ? `${json.slice(0, MOST_SHOWN)}…` : json;
}

function invalid(file: string, problems: readonly string[]): SignalboxError {
  return new SignalboxError(
    "SCRIPT_INVALID",
    `The scripted agents of ${file} cannot be played:\n${problems.map((problem) => `  ${problem}`).join("\n")}`,
    "Correct these lines. A rule has keys to match, a list `do`, and `output` or `reply`.",
  );
}
