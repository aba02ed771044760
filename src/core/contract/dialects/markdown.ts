import type { Json } from "../../text/json.ts";
import { type Block, checkBlockSize, checkKey, ENOUGH_BLOCKS, type Search } from "../block.ts";
import { foldWord, unwrapMarks } from "../fold.ts";
import { splitIntoWords } from "../form/sample.ts";
import { cut, type Problem, WHOLE } from "../problem.ts";
import type { Shape } from "../shape.ts";
import { isBlank, isIndented, type Line, splitFencedLines } from "./fenced-lines.ts";
import { formatInlineValue, type RawField, readFieldValue } from "./markdown-value.ts";

export const HEADING = "### Orchestrator Contract";
/** Heading of any level, or a bold line. The nonce below it identifies the section. */
const HEADINGS =
  /^(?:#{1,6}[ \t]+(?:\*\*)?orchestrator contract(?:\*\*)?:?(?:[ \t]+#+)?|\*\*orchestrator contract(?::?\*\*|\*\*:))$/i;
export const SIGNATURE = "Agent Signature: ";
const BETWEEN_WORDS = /[\s_-]+/g;
const BULLET = /^[-*+] /;

/** Finds sections under the heading whose `- Nonce:` is the dispatch's. Text after a section is ignored. */
export function findMarkdownBlocks({ text, nonce, shape }: Search): readonly Block[] {
  const lines = splitFencedLines(text);
  const blocks: Block[] = [];
  const isOwn = createFieldMatcher(shape);
  for (let at = 0; at < lines.length && blocks.length < ENOUGH_BLOCKS; at += 1) {
    if (!HEADINGS.test(lines[at]?.text.trimEnd() ?? "")) continue;
    const first = lines.slice(at + 1, at + 1 + MOST_BLANK).find((line) => !isBlank(line.text))?.text ?? "";
    const bare = isOwn(first);
    const end = findSectionEnd(lines, at + 1, bare ? isOwn : () => false);
    const block = parseSection(
      lines.slice(at, end).map((line) => line.text),
      { nonce, shape, bulleted: bare ? (line) => bulleted(line, isOwn) : (line) => line },
    );
    if (block) blocks.push(block);
    at = end - 1;
  }
  return blocks;
}

export function writeMarkdownContract(fields: Json, nonce: string, signature: string | undefined): string {
  // The writer passes an object; the declared type is any JSON.
  const members = Object.entries(fields as { readonly [key: string]: Json | undefined });
  const lines = members.flatMap(([key, value]) =>
    value === undefined ? [] : formatFieldLines(toFieldTitle(key), value),
  );
  const signed = signature === undefined ? [] : [`- ${SIGNATURE}${signature}`];
  return [HEADING, "", `- Nonce: ${nonce}`, ...lines, ...signed].join("\n");
}

function formatFieldLines(title: string, value: Json): readonly string[] {
  if (!Array.isArray(value) || value.length === 0) return [`- ${title}: ${formatInlineValue(value)}`];
  return [`- ${title}:`, ...value.map((item) => `  - ${formatInlineValue(item)}`)];
}

/** Blank lines between a heading and its section. */
const MOST_BLANK = 3;

/** Recognizes fields without bullets, which some agents write: a line is a field if it names one of the contract's. */
function createFieldMatcher(shape: Shape): (line: string) => boolean {
  const names = new Set(["nonce", ...[...shape.fields().keys()].map(foldWord)]);
  return (line) => {
    const [name] = isIndented(line) || BULLET.test(line) ? [] : splitAtColon(line);
    return name !== undefined && names.has(foldWord(name));
  };
}

/** Adds the missing bullet to such a field. Existing bullets are then items. */
function bulleted(line: string, isOwn: (line: string) => boolean): string {
  if (isOwn(line)) return `- ${line}`;
  return BULLET.test(line) && !isSignature(line) ? `  ${line}` : line;
}

/** Finds the end of a section, which consists of bullets, their indented lines, blank lines and the signature. */
function findSectionEnd(lines: readonly Line[], from: number, isOwn: (line: string) => boolean): number {
  for (let at = from; at < lines.length; at += 1) {
    const { text, fence } = lines[at] ?? { text: "", fence: false };
    const belongs = isBlank(text) || isIndented(text) || BULLET.test(text) || text.startsWith(SIGNATURE);
    if (fence || !(belongs || isOwn(text))) return at;
  }
  return lines.length;
}

type SectionSearch = {
  readonly nonce: string;
  readonly shape: Shape;
  /** Line in the form of a section with bullets. */
  readonly bulleted: (line: string) => string;
};

function parseSection(section: readonly string[], { nonce, shape, bulleted }: SectionSearch): Block | undefined {
  const text = section.join("\n").trimEnd();
  const fields = section.slice(1).map(bulleted);
  if (!fields.some((line) => BULLET.test(line) && isNonce(line.slice(2), nonce))) return undefined;
  const large = checkBlockSize(text);
  if (large) return { text, problems: [large] };
  const signatures = fields.filter(isSignature);
  const read = readFields(parseRawFields(fields.filter((line) => !isSignature(line))), shape);
  const twice =
    signatures.length > 1 ? [{ field: "Agent Signature", expected: "the field once", found: "the field twice" }] : [];
  const [signature] = signatures.map(parseSignature);
  const problems = [...read.problems, ...twice];
  return { text, fields: read.fields, problems, ...(signature === undefined ? {} : { signature }) };
}

function isNonce(field: string, nonce: string): boolean {
  const [name = "", value = ""] = splitAtColon(field);
  return foldWord(name) === "nonce" && (value === nonce || unwrapMarks(value) === nonce);
}

function isSignature(line: string): boolean {
  return !isIndented(line) && foldWord(splitAtColon(removeBullet(line))[0] ?? "") === "agentsignature";
}

/** Returns the value if the form is exact; otherwise the whole line, which then matches no signature. */
function parseSignature(line: string): string {
  const text = removeBullet(line).trimEnd();
  if (`${text} ` === SIGNATURE) return "";
  return text.startsWith(SIGNATURE) ? text.slice(SIGNATURE.length) : text;
}

function removeBullet(line: string): string {
  return BULLET.test(line) ? line.slice(2) : line;
}

function parseRawFields(lines: readonly string[]): readonly RawField[] {
  const fields: { name: string; inline: string; below: string[] }[] = [];
  for (const line of lines) {
    if (BULLET.test(line)) {
      const [name, inline] = splitAtColon(line.slice(2));
      fields.push({ name: name ?? line.slice(2).trim(), inline: inline ?? "", below: [] });
    } else if (!isBlank(line)) fields.at(-1)?.below.push(line);
  }
  return fields;
}

function readFields(raw: readonly RawField[], shape: Shape): { fields: Json; problems: readonly Problem[] } {
  const known = new Set<string>();
  const problems: Problem[] = [];
  const entries: [string, Json][] = [];
  const names = new Map([...shape.fields().keys()].map((name) => [foldWord(name), name]));
  for (const field of raw) {
    const name = names.get(foldWord(field.name)) ?? toCamelCase(field.name);
    const problem = /^[A-Za-z]/.test(field.name) ? checkKey(name, known) : createFieldNameProblem(field.name);
    if (problem) problems.push(problem);
    const member = shape.fields().get(name)?.shape ?? shape.values();
    const value = member ? readFieldValue(field, member) : field.inline;
    if (value !== undefined && name !== "nonce") entries.push([name, value]);
  }
  return { fields: Object.fromEntries(entries), problems };
}

function createFieldNameProblem(text: string): Problem {
  return { field: cut(text) || WHOLE, expected: "- Field: value", found: "a line without a field's name" };
}

/**
 * Splits a line at the first colon into name and value; empty without a colon. Models often write the name, or the name
 * and the colon, in bold or in backticks.
 */
function splitAtColon(text: string): readonly string[] {
  const colon = text.indexOf(":");
  if (colon < 0) return [];
  const [name, value] = [text.slice(0, colon).trim(), text.slice(colon + 1).trim()];
  const mark = MARKS.find((each) => name.startsWith(each));
  if (mark === undefined) return [name, value];
  if (name.endsWith(mark) && name.length > 2 * mark.length) return [unwrapMarks(name), value];
  return value.startsWith(mark) ? [name.slice(mark.length).trim(), value.slice(mark.length).trim()] : [name, value];
}

const MARKS = ["**", "__", "`"] as const;

function toCamelCase(name: string): string {
  const [first = "", ...rest] = name.split(BETWEEN_WORDS);
  return first.toLowerCase() + rest.map((word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase()).join("");
}

export function toFieldTitle(key: string): string {
  const words = splitIntoWords(key);
  return words.charAt(0).toUpperCase() + words.slice(1);
}
