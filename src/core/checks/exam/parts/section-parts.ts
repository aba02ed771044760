import { scanToml, type TomlOpen } from "../../guard/toml.ts";
import type { SpliceSides } from "./combine-parts.ts";
import { isProductEntry, isProductSection } from "./manifest-keys.ts";

type Section = { readonly name: string; readonly text: string };

/**
 * Splices settings in sections (TOML or INI): those of test programs are exam, the rest is code. Returns undefined if
 * sections cannot be separated, if a key outside of them reaches into one, or if a real parser may see other sections.
 */
export function combineSections({ path, code, exam, wide = false, checks = false }: SpliceSides): string | undefined {
  const isToml = path.endsWith(".toml");
  if (OTHER_ENDS.test(code) || OTHER_ENDS.test(exam)) return undefined;
  const [own, other] = [parseSections(code, isToml), parseSections(exam, isToml)];
  if (!own || !other || [...own, ...other].some(isReachingIn)) return undefined;
  if (isToml && [...own, ...other].some(isOddHeader)) return undefined;
  const open = wide ? findChangedSections(own, other) : new Set<string>();
  // A restored table includes its subtables: beside new ones it could define a key twice.
  const isOpen = (name: string) => open.has(name) || (isToml && [...open].some((each) => name.startsWith(`${each}.`)));
  const isExam = ({ name }: Section) => EXAM.test(name) || isOpen(name) || (checks && CHECKS.test(name));
  const isCode = (section: Section) => !isExam(section);
  const theirs = other.filter(isExam);
  if (joinSections(own.filter(isExam)) === joinSections(theirs)) return code;
  if (joinSections(own.filter(isCode)) === joinSections(other.filter(isCode))) return exam;
  const first = own.findIndex(isExam);
  const at = first < 0 ? own.length : first;
  return joinSections([...own.slice(0, at), ...theirs, ...own.slice(at).filter(isCode)]);
}

/** Characters that some parsers read as a line end, or ignore: every control character except the usual ones. */
const OTHER_ENDS = /\r(?!\n)|[^\P{Cc}\t\r\n]|[\u2028\u2029\uFEFF]/u;

/**
 * Includes settings that start tests, and settings with which a test program loads the project's own code as a part of
 * itself.
 */
const EXAM =
  /^(?:tool[.:])?(?:pytest|coverage|tox|testenv|nox|nosetests|unittest|poe|taskipy)(?:$|[.:_-])|^tool\.(?:pdm\.scripts|hatch\.envs(?:\.[\w-]*test[\w-]*|\.default)?(?:\.|$))|pytest11|^aliases$|^(?:test|profile\.test)(?:$|\.)/;

/** Settings of linters and type checkers. */
const CHECKS =
  /^(?:tool[.:])?(?:mypy|ruff|pyright|basedpyright|flake8|pylint|pylint-\w+|pycodestyle|pydocstyle|pyre|ty|bandit|pep8|codespell|vulture)(?:$|[.:_-])/;

/**
 * Lists sections that existed before, changed, and have an unknown reader; or that take a package from another source.
 */
function findChangedSections(own: readonly Section[], other: readonly Section[]): ReadonlySet<string> {
  const getSectionText = (sections: readonly Section[], name: string) =>
    joinSections(sections.filter((each) => each.name === name)).trim();
  const changed = [...new Set(other.map(({ name }) => name))].flatMap((name) => {
    const [before, after] = [getSectionText(other, name), getSectionText(own, name)];
    return before === after || before === "" ? [] : [{ name, before, after }];
  });
  const isOpen = (each: ChangedSection) => !isProductSection(each.name) || isChangingOthers(each);
  return new Set(changed.filter(isOpen).map(({ name }) => name));
}

type ChangedSection = { readonly name: string; readonly before: string; readonly after: string };

const ELSEWHERE = /\b(?:path|git|url|workspace)\s*=|\bfile:|\s@\s/;
const ENTRY = /^[\w.-]+\s*=(?!=)/;

/** Returns whether an existing entry changed that is unknown, or takes a package from another source. */
function isChangingOthers({ name, before, after }: ChangedSection): boolean {
  const [then, now] = [groupLinesByKey(before), groupLinesByKey(after)];
  return [...then].some(([key, line]) => {
    const later = now.get(key);
    if (later === line) return false;
    if (ENTRY.test(line) && !isProductEntry(name, key)) return true;
    return later !== undefined && (ELSEWHERE.test(line) || ELSEWHERE.test(later));
  });
}

function groupLinesByKey(text: string): ReadonlyMap<string, string> {
  return new Map(text.split("\n").map((line) => [line.trim().split(/[=@<>~!\s]/, 1)[0] ?? "", line.trim()]));
}

/**
 * Matches `tool.pytest.ini_options.addopts = …` or `tool = { … }` above all sections, or `pytest = { … }` in `[tool]`.
 */
function isReachingIn({ name, text }: Section): boolean {
  if (name.startsWith("project") && !EXAM.test(name) && /pytest11/.test(text)) return true;
  if (name !== "" && name !== "tool") return false;
  const key = name === "" ? TOOL_KEY : PROGRAM_KEY;
  return text.split("\n").some((line) => key.test(line.trimStart().slice(0, MOST_KEY)) || hasEscapedKey(line));
}

const TOOL_KEY = /^["']?tool["']?\s*[.=]/;
const PROGRAM_KEY = /^["']?(?:pytest|coverage|tox|nox|poe|taskipy|pdm|hatch)["']?\s*[.=]/;
/** Longer than any key with surrounding spaces. */
const MOST_KEY = 500;

/** `"t\u006fol"` is `tool`. */
function hasEscapedKey(line: string): boolean {
  const quote = line.indexOf('"');
  const equals = line.indexOf("=");
  return quote >= 0 && (equals < 0 || quote < equals) && line.includes("\\");
}

/** Matches a name whose end or letters differ from what is visible. */
function isOddHeader({ text }: Section): boolean {
  const [line = ""] = text.trimStart().split("\n", 1);
  if (!line.startsWith("[")) return false;
  return line.length > MOST_KEY || ODD_HEADER.test(line);
}

const ODD_HEADER = /^\[[^#]*\\|^\[{1,2}[^\]#]*(?:"[^"]*[\]#.][^"]*"|'[^']*[\]#.][^']*')/;

/** Every section ends with a line end, so that sections can be reordered. */
function joinSections(sections: readonly Section[]): string {
  return sections.map(({ text }) => (text === "" || text.endsWith("\n") ? text : `${text}\n`)).join("");
}

function parseSections(text: string, isToml: boolean): readonly Section[] | undefined {
  const sections: Section[] = [];
  let now: Section = { name: "", text: "" };
  let open: TomlOpen = { quote: "", brackets: 0 };
  for (const line of text.split(/(?<=\n)/)) {
    const inside = open.quote !== "" || open.brackets > 0;
    const name = inside ? undefined : parseSectionName(isToml ? line.trim() : line);
    if (name !== undefined) sections.push(now);
    now = name === undefined ? { ...now, text: now.text + line } : { name, text: line };
    const after = isToml ? scanToml(line.trimEnd(), open) : open;
    if (typeof after === "string") return undefined;
    open = after;
  }
  return [...sections, now];
}

/** In TOML a name may be quoted and a table indented; in INI an indented line continues a value. */
function parseSectionName(line: string): string | undefined {
  const [, name] = /^\[{1,2}([^\]]+)\]/.exec(line) ?? [];
  return name?.replaceAll(/["'\s]/g, "");
}
