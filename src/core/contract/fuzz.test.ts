import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { often } from "../../../test/often.ts";
import type { Json } from "../text/json.ts";
import { DIALECTS, type Dialect } from "./dialect.ts";
import { readContract } from "./read.ts";
import { writeContract } from "./write.ts";

/**
 * The oracle. Every value comes from a closed vocabulary whose words are far more than one edit apart, lists have a
 * fixed length and no field is optional. All words are valid everywhere, so a reader that loses a line, confuses two or
 * stops early returns a *different valid value* and is detected, while no single edit of the text can be a legitimate
 * change of the contract. Hence each mutated text must be refused, with at least one complete problem, or give the
 * original value. Mutations with a known effect must have exactly that effect.
 */
const VOCABULARY = ["alphabet", "mountain", "violinist", "cucumber", "dragonfly"] as const;
const NUMBERS = [1017, 25253, 777_000] as const;
const Word = z.enum(VOCABULARY);
const Fields = z.strictObject({
  status: Word,
  verdict: Word,
  count: z.literal(NUMBERS),
  passed: z.literal(true),
  evidenceSeen: z.array(Word).length(3),
  review: z.strictObject({ by: Word, views: z.array(Word).length(2) }),
});
const Line = z.strictObject({ line: z.enum(["DONE", "NEEDS_REVISION", "ERROR"]), message: Word });
const NONCE = "k7q2-x9w4";

const word = fc.constantFrom(...VOCABULARY);
const fields = fc.record({
  status: word,
  verdict: word,
  count: fc.constantFrom(...NUMBERS),
  passed: fc.constant(true),
  evidenceSeen: fc.tuple(word, word, word),
  review: fc.record({ by: word, views: fc.tuple(word, word) }),
});
const line = fc.record({ line: fc.constantFrom("DONE", "NEEDS_REVISION", "ERROR"), message: word });

type Case = { readonly dialect: Dialect; readonly value: { readonly [key: string]: Json }; readonly text: string };
type Mutated = {
  readonly name: string;
  readonly text: string;
  readonly code?: string | RegExp;
  readonly same?: boolean;
};
type Mutation = (seen: Case, at: number, junk: string) => Mutated;

const write = (dialect: Dialect, value: Json, nonce = NONCE) => writeContract({ dialect, value, nonce });
const cutAt = (text: string, at: number) => Math.floor(at * text.length);

/** Changes that preserve the contract. */
const harmless: readonly Mutation[] = [
  ({ text }) => ({ name: "prose in front", text: `I looked at it.\n\n${text}`, same: true }),
  ({ text }) => ({ name: "byte-order mark and CRLF", text: `\uFEFF${text.replace(/\n/g, "\r\n")}\r\n`, same: true }),
  ({ text }) => ({ name: "blank lines around", text: `\n\n  \n${text}\n\n`, same: true }),
  ({ dialect, value, text }) => ({
    name: "a quotation with another nonce",
    text: `${write(dialect, value, "other-nonce")}\n\n${text}`,
    same: true,
  }),
  ({ text }) => ({ name: "a fence around", text: `\`\`\`\n${text}\n\`\`\``, same: true }),
  ({ dialect, text }) => ({
    name: "prose behind",
    text: `${text}\n\nThat was it.`,
    ...(dialect === "line" ? { code: "contract_missing" } : { same: true }),
  }),
];

/** Changes that alter or destroy the contract. */
const harmful: readonly Mutation[] = [
  ({ text }) => ({ name: "another nonce", text: text.replaceAll(NONCE, "k7q2-x9w5"), code: "contract_missing" }),
  ({ text }) => ({ name: "a second block", text: `${text}\n\n${text}`, code: "contract_ambiguous" }),
  ({ text }) => ({ name: "a second block in a row", text: `${text}\n${text}`, code: "contract_ambiguous" }),
  ({ text }) => ({ name: "quoted", text: text.replace(/^/gm, "> "), code: "contract_missing" }),
  ({ text }, at) => ({ name: "truncated", text: text.slice(0, cutAt(text, at)), code: /./ }),
  ({ dialect, value }) => ({
    name: "a word outside the enum",
    text: write(dialect, dialect === "line" ? { ...value, message: "zebra" } : { ...value, verdict: "zebra" }),
    code: "contract_invalid",
  }),
  ({ dialect, value }, at) => {
    const names = Object.keys(value).filter((name) => name !== "line");
    const gone = names[cutAt(names.join(""), at) % names.length] ?? "status";
    return { name: `without ${gone}`, text: write(dialect, { ...value, [gone]: undefined }), code: "contract_invalid" };
  },
  ({ dialect, value }) => ({
    name: "nested too deeply",
    text: write(dialect, dialect === "line" ? { ...value, message: "[[alphabet]]" } : { ...value, review: deep(30) }),
    code: "contract_invalid",
  }),
  ({ dialect, value, text }) => ({
    name: "an unknown or reserved field",
    text: dialect === "line" ? text.replace(/^\w+/, "SUCCESS") : write(dialect, { ...value, moreOfIt: "alphabet" }),
    code: dialect === "line" ? "contract_missing" : "contract_invalid",
  }),
  ({ dialect, text }) => ({
    name: "a field twice",
    text: twice(dialect, text),
    code: dialect === "line" ? "contract_ambiguous" : "contract_invalid",
  }),
  ({ dialect, text }) => ({
    name: "an anchor, a tag or a reserved key",
    text: smuggled(dialect, text),
    code: dialect === "line" ? "contract_missing" : "contract_invalid",
  }),
];

/** Random edits: the result is a refusal or the original. */
const blind: readonly Mutation[] = [
  ({ text }, at, junk) => ({
    name: "inserted",
    text: text.slice(0, cutAt(text, at)) + junk + text.slice(cutAt(text, at)),
  }),
  ({ text }, at, junk) => ({
    name: "overwritten",
    text: text.slice(0, cutAt(text, at)) + junk + text.slice(cutAt(text, at) + junk.length),
  }),
  ({ text }, at, junk) => ({
    name: "deleted",
    text: text.slice(0, cutAt(text, at)) + text.slice(cutAt(text, at) + 1 + junk.length),
  }),
  ({ text }, at) => ({ name: "a line dropped", text: onLine(text, at, () => []) }),
  ({ text }, at) => ({ name: "a line doubled", text: onLine(text, at, (line) => [line, line]) }),
  ({ text }, at, junk) => ({ name: "a line inserted", text: onLine(text, at, (line) => [line, junk]) }),
  ({ text }, at) => ({ name: "a line indented", text: onLine(text, at, (line) => [`  ${line}`]) }),
  ({ text }, at) => ({ name: "a fence inserted", text: onLine(text, at, (line) => ["```", line]) }),
  ({ text }, at) => ({ name: "a line quoted", text: onLine(text, at, (line) => [`> ${line}`]) }),
  (_seen, _at, junk) => ({ name: "nothing but junk", text: `${junk}\n${NONCE}\n${junk}`, code: /./ }),
];

const junk = fc.oneof(
  fc.string({ unit: "binary", maxLength: 8 }),
  fc.constantFrom(
    "\u0301\u0316",
    "\u202e",
    "\0",
    "\ud800",
    '"',
    "'",
    "`",
    "{",
    "}",
    "[",
    "]",
    ":",
    "- ",
    "#",
    "&a ",
    "*a",
    "!!str ",
  ),
  fc.constantFrom("\n", "\n\n", "\r", "\t", "---\n", "...", "```\n", "| ", "> ", "<<: ", "__proto__: 1", "%YAML 1.1"),
);

describe("a mutated contract", () => {
  it.each(DIALECTS)("[A-07] is refused with field, expected and found, or reads to the same value: %s", (dialect) => {
    const value = dialect === "line" ? line : fields;
    const mutation = fc.oneof(fc.constantFrom(...harmless), fc.constantFrom(...harmful), fc.constantFrom(...blind));
    const place = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    fc.assert(
      fc.property(value, mutation, place, junk, (value, mutate, at, junk) => {
        const text = write(dialect, value);
        judge(dialect, value, mutate({ dialect, value, text }, at, junk));
      }),
      { numRuns: often(400, 2_000) },
    );
  });
});

function judge(dialect: Dialect, value: Json, mutated: Mutated): void {
  const schema = dialect === "line" ? Line : Fields;
  const reading = readContract({ dialect, text: mutated.text, nonce: NONCE, schema });
  if (mutated.same || (reading.ok && mutated.code === undefined)) {
    expect(reading, mutated.name).toEqual({ ok: true, value });
    return;
  }
  if (reading.ok) expect.fail(`${mutated.name} was read as ${JSON.stringify(reading.value)}`);
  if (mutated.code !== undefined) expect(reading.code, mutated.name).toMatch(mutated.code);
  expect(reading.problems.length, mutated.name).toBeGreaterThan(0);
  for (const { field, expected, found } of reading.problems) {
    expect(
      [field, expected, found].every((part) => part.length > 0),
      mutated.name,
    ).toBe(true);
  }
}

function deep(levels: number): Json {
  return levels === 0 ? "alphabet" : [deep(levels - 1)];
}

function onLine(text: string, at: number, change: (line: string) => readonly string[]): string {
  const lines = text.split("\n");
  const index = Math.floor(at * lines.length);
  return lines.flatMap((line, here) => (here === index ? change(line) : [line])).join("\n");
}

function twice(dialect: Dialect, text: string): string {
  if (dialect === "json") return text.replace('"status":', '"status": "cucumber", "status":');
  if (dialect === "markdown") return text.replace(/^- Status:.*$/m, "$&\n$&");
  return dialect === "line" ? `${text}\n${text}` : text.replace(/^ *status:.*$/m, "$&\n$&");
}

function smuggled(dialect: Dialect, text: string): string {
  if (dialect === "json") return text.replace('"status":', '"__proto__": {}, "status":');
  if (dialect === "markdown") return text.replace("- Status:", "- __proto__: x\n- Status:");
  return dialect === "line" ? `${text}\n&a` : text.replace("status: ", "status: &a ");
}
