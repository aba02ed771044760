import { scanToml, type TomlOpen } from "../toml.ts";
import type { Sides } from "./spliced.ts";

type Section = { readonly name: string; readonly text: string };

/**
 * Settings in sections, TOML or INI: those of test programs are the exam, all else is code. Undefined where sections
 * cannot be told, or where a key outside of them reaches into one.
 */
export function splicedSections({ path, code, exam }: Sides): string | undefined {
  const isToml = path.endsWith(".toml");
  const [own, other] = [sectionsOf(code, isToml), sectionsOf(exam, isToml)];
  if (!own || !other || [...own, ...other].some(reachesIn)) return undefined;
  const theirs = other.filter(isExam);
  if (textOf(own.filter(isExam)) === textOf(theirs)) return code;
  if (textOf(own.filter(isCode)) === textOf(other.filter(isCode))) return exam;
  const first = own.findIndex(isExam);
  const at = first < 0 ? own.length : first;
  return textOf([...own.slice(0, at), ...theirs, ...own.slice(at).filter(isCode)]);
}

/** Also how tests are started, and what makes a test program load the project's own code as a part of itself. */
const EXAM =
  /^(?:tool[.:])?(?:pytest|coverage|tox|testenv|nox|nosetests|unittest|poe|taskipy)(?:$|[.:_-])|^tool\.(?:pdm\.scripts|hatch\.envs(?:\.[\w-]*test[\w-]*|\.default)?(?:\.|$))|pytest11|^aliases$|^(?:test|profile\.test)(?:$|\.)/;

function isExam({ name }: Section): boolean {
  return EXAM.test(name);
}

function isCode(section: Section): boolean {
  return !isExam(section);
}

/** `tool.pytest.ini_options.addopts = …` above all sections, or `pytest = { … }` in `[tool]`. */
function reachesIn({ name, text }: Section): boolean {
  const prefix = name === "" ? /^\s*["']?tool["']?\s*\./m : /^\s*["']?(?:pytest|coverage|tox|poe|taskipy)["']?\s*[.=]/m;
  return (name === "" || name === "tool") && prefix.test(text);
}

/** Every section ends with a line's end, so that they can stand in any order. */
function textOf(sections: readonly Section[]): string {
  return sections.map(({ text }) => (text === "" || text.endsWith("\n") ? text : `${text}\n`)).join("");
}

function sectionsOf(text: string, isToml: boolean): readonly Section[] | undefined {
  const sections: Section[] = [];
  let now: Section = { name: "", text: "" };
  let open: TomlOpen = { quote: "", brackets: 0 };
  for (const line of text.split(/(?<=\n)/)) {
    const inside = open.quote !== "" || open.brackets > 0;
    const name = inside ? undefined : nameIn(isToml ? line.trim() : line);
    if (name !== undefined) sections.push(now);
    now = name === undefined ? { ...now, text: now.text + line } : { name, text: line };
    const after = isToml ? scanToml(line.trimEnd(), open) : open;
    if (typeof after === "string") return undefined;
    open = after;
  }
  return [...sections, now];
}

/** In TOML a name may be quoted and a table indented; in INI what is indented goes on with a value. */
function nameIn(line: string): string | undefined {
  const [, name] = /^\[{1,2}([^\]]+)\]/.exec(line) ?? [];
  return name?.replaceAll(/["'\s]/g, "");
}
