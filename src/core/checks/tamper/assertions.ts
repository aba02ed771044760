import { DEFINITION } from "./assert-helpers.ts";
import { maskCode, maskComments } from "./code-mask.ts";
import type { TestLanguage } from "./test-language.ts";

/** Assertion of a test file, in a form that can be compared between versions. */
export type Assertion = {
  readonly path: string;
  /** Text on one line with normalized quotes and spaces. The same text elsewhere is the same assertion, moved. */
  readonly text: string;
  /** Called functions, except those of the assertion library. */
  readonly callees: ReadonlySet<string>;
  /** Literals and types: inputs and expectations. */
  readonly values: ReadonlySet<string>;
  /** All other names. */
  readonly names: ReadonlySet<string>;
  /** It compares with a value, and not only with a type or nothing. */
  readonly strict: boolean;
  /**
   * Parts that it excludes from the comparison, for example the order (`sorted`) or everything except the length
   * (`len`).
   */
  readonly loosenedBy: ReadonlySet<string>;
  /** Line that starts its test; empty outside of one. */
  readonly header: string;
  /** Name of the test in that line, without the syntax of the language. */
  readonly title: string;
  /** Surrounding function, outside of a test. */
  readonly helper?: string;
};

/**
 * Reads the assertions of a test file. An assertion that cannot fail does not count. A call of one of the given helpers
 * counts as a comparing assertion.
 */
export function readAssertions(
  path: string,
  text: string,
  language: TestLanguage,
  comparers: ReadonlySet<string> = new Set(),
): readonly Assertion[] {
  const code = maskCode(text, language.syntax);
  const plain = maskComments(text, language.syntax);
  const found: Assertion[] = [];
  let block: Block = { header: "", title: "" };
  let at = 0;
  const lines = code.split("\n");
  const plainLines = plain.split("\n");
  for (const [index, line] of lines.entries()) {
    block = blockAt(plain.slice(at, at + line.length), line, language) ?? block;
    for (const column of findAsserts(line, language)) {
      const statement = language.name === "go" ? findConditionAbove(lines, index) : undefined;
      found.push({ path, ...block, ...read(statement ?? plain.slice(at + column, endOf(code, at + column))) });
    }
    for (const column of findCalls(line, comparers)) {
      found.push({ path, ...block, ...readCall(plain.slice(at + column, endOf(code, at + column)), comparers) });
    }
    const condition = findCondition(lines, plainLines, index);
    if (condition !== undefined) found.push({ path, ...block, ...read(condition) });
    at += line.length + 1;
  }
  return found;
}

function findAsserts(line: string, language: TestLanguage): readonly number[] {
  const isEmpty = (line.match(language.empty)?.length ?? 0) > 0;
  return isEmpty ? [] : [...line.matchAll(language.asserts)].map(({ index }) => index);
}

type Block = Pick<Assertion, "header" | "title" | "helper">;

function blockAt(line: string, code: string, language: TestLanguage): Block | undefined {
  if (code.match(language.tests)) return { header: line.trim(), title: parseTitle(line) };
  const [, ...names] = DEFINITION.exec(code) ?? [];
  const helper = names.find((name) => name !== undefined);
  return helper === undefined ? undefined : { header: "", title: "", helper };
}

function parseTitle(line: string): string {
  const [quoted] = readValues(line);
  const [, named] = /\b(?:def|func|fn|void|fun|function)\s+(\w+)/.exec(line) ?? [];
  return named ?? quoted ?? line.trim();
}

/** Fails the test explicitly if a condition above it holds. */
const RAISES = /\braise AssertionError\b|\bthrow new (?:Assertion)?Error\(/;

/** Finds the condition of the `if` on the same line or on the line above. */
function findCondition(code: readonly string[], plain: readonly string[], index: number): string | undefined {
  if (!RAISES.test(code[index] ?? "")) return undefined;
  const above = [plain[index] ?? "", plain[index - 1] ?? ""].find((line) => /\bif\b/.test(line));
  return /\bif\b(.*?)(?::\s*$|\{\s*$|\bthrow\b|\braise\b|$)/.exec(above ?? "")?.[1]?.trim();
}

/** Reads a call of a comparing helper: an assertion about the functions that its arguments call. */
function readCall(statement: string, comparers: ReadonlySet<string>): AssertionText {
  const call = read(statement);
  return { ...call, callees: new Set([...call.callees].filter((name) => !comparers.has(name))), strict: true };
}

/** Finds the calls of these functions in the line, except their definitions. */
function findCalls(line: string, names: ReadonlySet<string>): readonly number[] {
  if (names.size === 0 || DEFINITION.test(line)) return [];
  const calls = [...line.matchAll(/(?<![\w$.])(\w+)\(/g)];
  return calls.filter(([, name = ""]) => names.has(name)).map(({ index }) => index);
}

/** `t.Errorf` refers only to the comparison above it. */
function findConditionAbove(lines: readonly string[], index: number): string | undefined {
  const above = lines.slice(Math.max(0, index - 5), index);
  const at = above.findLastIndex((line) => /\bif\b/.test(line));
  if (at < 0 || /(?:assert|require)\.\w+\(/.test(lines[index] ?? "")) return undefined;
  return [above[at - 1] ?? "", above[at] ?? ""].filter((line) => /\bif\b|:=/.test(line)).join(" ");
}

/** Longer statements are not assertions. */
const MOST_CHARS = 2_000;

/** Finds the end of the statement: the end of its line outside of brackets, unless a call continues below. */
function endOf(code: string, start: number): number {
  let depth = 0;
  const last = Math.min(code.length, start + MOST_CHARS);
  for (let at = start; at < last; at += 1) {
    const char = code.charAt(at);
    if ("([{".includes(char)) depth += 1;
    if (")]}".includes(char)) depth -= 1;
    if (depth < 0 || (depth === 0 && char === ";")) return at;
    if (depth === 0 && char === "\n" && !/^\s*\./.test(code.slice(at, at + 80)) && code.charAt(at - 1) !== ":")
      return at;
  }
  return last;
}

const STRING = /(["'`])((?:\\[\s\S]|(?!\1)[^\\])*)\1/g;
const CALL =
  /(?<before>\)\s*\.\s*|\b(?:assert|Assert|require|self|t|chai|expect)(?:\.\w+)*\.)?(?<name>[A-Za-z_$][\w$]*)[!?]?\(/g;
/** Words of languages and test programs. */
const VOCABULARY =
  /^(?:assert\w*|refute\w*|expect\w*|describe|it|test|function|async|await|if|for|while|catch|return|raises|throws?|Error|Errorf|Fatal|Fatalf|str|int|len|list|dict|set|tuple|sorted|repr|type|unicode|text_type|String|Number|Boolean|JSON|map|filter|then|next|Promise|all|eq)$/;
/** Methods of values that every program calls. A function of such a name belongs to the program. */
const METHODS =
  /^(?:stringify|parse|flatMap|find\w*|some|every|keys|values|entries|fromEntries|from|at|slice|join|split|trim|replace\w*|sort|toSorted|toString|includes|indexOf|push|has|get|now|format)$/;
const COMPARES =
  /[eE]qual|==|!=|\beq\b|\bis\(|same\w*\(|toBe\(|toMatch|toContain|toThrow|toHave|[tT]hrows|rejects|[rR]aises|panic|assertIn\b|[iI]nclude|[cC]ontains|[mM]atch|[sS]napshot|[rR]egex|\bin\b|[sS]tartsWith/;
const WEAK =
  /\btypeof\b|\binstanceof\b|\bisinstance\b|\btype\(|toBeDefined|toBeTruthy|toBeInstanceOf|toBeTypeOf|\.not\.|doesNot|IsNotNone|is not None|NotNull|[nN]otEmpty|expect\.any|[nN]ot\w*Equal/;

/** Compares less than the whole value: its length, its members in any order, a part of it, or a range around it. */
const LOOSE =
  /\b(?:len|set|Set|frozenset|sorted|bool|Boolean|int|abs|round|floor|isclose|allclose|approx\w*|min|max)\(|\b(?:delta|places) ?=|\bor\b|\|\||abs_diff|InEpsilon|\.(?:length|size|len|count|keys|toSorted|sort|toLowerCase|lower|upper|trim|strip)\b|[sS]tarts_?[wW]ith|[eE]nds_?[wW]ith|HasPrefix|HasSuffix|[cC]ontain(?:s|ing)?\b|[iI]ncludes?\b|\bassertIn\b|\bin\b|toMatchObject|[cC]loseTo\b|[aA]lmost_?[eE]qual|InDelta|[gG]reater\w*|[lL]ess(?:Than|Equal|OrEqual)\w*|(?<![=-])[<>]=?(?![=>])/g;

type AssertionText = Pick<Assertion, "text" | "callees" | "values" | "names" | "strict" | "loosenedBy">;

function read(statement: string): AssertionText {
  const text = removeMessage(removeCasts(statement.trim()));
  const bare = text.replaceAll(STRING, '""');
  const calls = [...bare.matchAll(CALL)].filter(({ groups }) => groups?.["before"] === undefined);
  const callees = new Set(calls.flatMap((call) => findOwnName(call) ?? []));
  const words = bare.match(/(?<![\w$.])[A-Za-z_$][\w$]*(?!\s*[(.!\w$])/g) ?? [];
  const isValue = (word: string) => /^(?:true|false|null|undefined|None|True|False|nil)$|^[A-Z]/.test(word);
  return {
    text: text
      .replaceAll(/\s+/g, " ")
      .replaceAll(/(?<!\w)[ubr]?['"`]/g, '"')
      .replaceAll(/['`]/g, '"'),
    callees,
    values: new Set([...readValues(text), ...words.filter(isValue)]),
    names: new Set(words.filter((word) => !isValue(word) && !VOCABULARY.test(word))),
    strict: COMPARES.test(bare) && !WEAK.test(bare),
    // A failure condition with another `&&` holds less often.
    loosenedBy: new Set([...(bare.match(LOOSE) ?? []), ...(/\bif\b.*&&/.test(bare) ? ["&&"] : [])]),
  };
}

/** Reads numbers and strings. */
export function readValues(text: string): readonly string[] {
  const strings = [...text.matchAll(STRING)].map(([, , inner]) => `"${inner}"`);
  return [...strings, ...(text.replaceAll(STRING, '""').match(/(?<![\w$])\d[\w.]*/g) ?? [])];
}

/** Returns the name of a called function, unless the name is common to every program. */
function findOwnName({ groups, index, input = "" }: RegExpExecArray): string | undefined {
  const name = groups?.["name"] ?? "";
  const isMethod = input.charAt(index - 1) === ".";
  return VOCABULARY.test(name) || (isMethod && METHODS.test(name)) ? undefined : name;
}

/** A TypeScript cast changes no value: `(f as unknown as Call)(a)` is `f(a)`. */
function removeCasts(statement: string): string {
  if (!/\bas (?:const|unknown|any|[A-Za-z_$])/.test(statement)) return statement;
  return statement
    .replaceAll(
      /(?<=[\w$)\]"'`}]) as (?:const|(?:keyof |typeof |readonly )*[A-Za-z_$][\w$.]{0,80}(?:<[^()"'`]{0,80}>)?(?:\[\])*)(?=[\s),;\].]|$)/g,
      "",
    )
    .replaceAll(/(?<![\w$)\]])\(\s*([A-Za-z_$][\w$.]{0,80})\s*\)/g, "$1");
}

/** Lists the functions that a line calls. */
export function readCallees(line: string): readonly string[] {
  return [...read(line).callees];
}

/**
 * Removes the failure message, which does not affect the result: a third argument, or the text after the comma of an
 * `assert`.
 */
function removeMessage(statement: string): string {
  const message = /,\s*(["'`])(?:\\[\s\S]|(?!\1)[^\\])*\1\s*,?\s*\)?$/.exec(statement);
  if (!message) return statement;
  const before = statement.slice(0, message.index);
  const isThird = countTopLevelCommas(before) > 0 || /^assert\s/.test(statement);
  return isThird ? `${before}${statement.endsWith(")") ? ")" : ""}` : statement;
}

function countTopLevelCommas(text: string): number {
  const bare = text.replaceAll(STRING, '""');
  let depth = 0;
  let commas = 0;
  for (const char of bare) {
    if ("([{".includes(char)) depth += 1;
    if (")]}".includes(char)) depth -= 1;
    if (char === "," && depth === 1) commas += 1;
  }
  return commas;
}
