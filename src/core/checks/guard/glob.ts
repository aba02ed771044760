/** Longer patterns match only themselves. */
const MOST_CHARS = 4096;

/**
 * Returns whether the path matches one of the globs. `*` and `?` stay within a segment, `**` as a whole segment spans
 * any number of them, `{a,b}` are alternatives, `[a-z]` is a class, `docs/` means everything below. A leading dot is
 * not special. `!` before a glob excludes matches of the others. Runs in path × pattern time for every pattern.
 */
export function matchesAny(path: string, globs: readonly string[]): boolean {
  if (globs.some((glob) => glob.startsWith("!") && matchesGlob(path, glob.slice(1)))) return false;
  return globs.some((glob) => !glob.startsWith("!") && matchesGlob(path, glob));
}

export function matchesGlob(path: string, glob: string): boolean {
  if (path === glob) return true;
  const pattern = normalizeGlob(glob);
  if (pattern.length > MOST_CHARS) return path === pattern;
  if (runAutomaton(path, compile(pattern, true))) return true;
  // `app/[id]/*` may contain a class or a folder with brackets in its name. Both readings match.
  return pattern.includes("[") && runAutomaton(path, compile(pattern, false));
}

function normalizeGlob(glob: string): string {
  const pattern = glob.startsWith("./") ? glob.slice(2) : glob;
  return pattern.endsWith("/") ? `${pattern}**` : pattern;
}

type CharTest = (char: string) => boolean;
/** State of the automaton: `free` transitions consume no character, `takes` guards the transition to `to`. */
type State = { readonly free: number[]; readonly takes?: CharTest; readonly to?: number };
type Automaton = { readonly states: readonly State[]; readonly start: number; readonly end: number };
type GlobPart =
  | { readonly kind: "letter"; readonly takes: CharTest }
  | { readonly kind: "star" | "rest" | "deep" }
  | Alternatives;
type Alternatives = { readonly kind: "either"; readonly choices: readonly (readonly GlobPart[])[] };

const matchAny: CharTest = () => true;
const isNotSlash: CharTest = (char) => char !== "/";
const isSlash: CharTest = (char) => char === "/";

function runAutomaton(path: string, { states, start, end }: Automaton): boolean {
  let now = reach(states, [start]);
  for (const char of path) {
    const next: number[] = [];
    for (const id of now) {
      const state = states[id];
      if (state?.to !== undefined && state.takes?.(char)) next.push(state.to);
    }
    if (next.length === 0) return false;
    now = reach(states, next);
  }
  return now.has(end);
}

function reach(states: readonly State[], from: readonly number[]): ReadonlySet<number> {
  const seen = new Set(from);
  // A set iterates over elements that are added during the iteration.
  for (const id of seen) for (const free of states[id]?.free ?? []) seen.add(free);
  return seen;
}

function compile(pattern: string, classes: boolean): Automaton {
  const states: State[] = [{ free: [] }];
  const start = link(states, read({ pattern, classes, close: findClosings(pattern) }, 0, pattern.length), 0);
  return { states, start, end: 0 };
}

/** Builds from the end, so that every part knows its successor. */
function link(states: State[], parts: readonly GlobPart[], end: number): number {
  return parts.reduceRight((next, part) => linkPart(states, part, next), end);
}

function linkPart(states: State[], part: GlobPart, next: number): number {
  const add = (state: State) => states.push(state) - 1;
  if (part.kind === "letter") return add({ free: [], takes: part.takes, to: next });
  if (part.kind === "either") return add({ free: part.choices.map((choice) => link(states, choice, next)) });
  if (part.kind !== "deep")
    return add({ free: [next], takes: part.kind === "star" ? isNotSlash : matchAny, to: states.length });
  const leave = add({ free: [], takes: isSlash, to: next });
  const walk = add({ free: [leave], takes: matchAny, to: states.length });
  return add({ free: [next, walk] });
}

type GlobSource = { readonly pattern: string; readonly classes: boolean; readonly close: ReadonlyMap<number, number> };

function read(source: GlobSource, from: number, to: number): GlobPart[] {
  const parts: GlobPart[] = [];
  let at = from;
  while (at < to) {
    const [part, next] = readPart(source, at);
    parts.push(part);
    at = next;
  }
  return parts;
}

function readPart(source: GlobSource, at: number): readonly [GlobPart, number] {
  const { pattern, classes, close } = source;
  // A whole code point, because paths are read in code points.
  const char = String.fromCodePoint(pattern.codePointAt(at) ?? 0);
  if (char === "*") return readStars(pattern, at);
  if (char === "?") return [{ kind: "letter", takes: isNotSlash }, at + 1];
  const closing = close.get(at);
  if (char === "{" && closing !== undefined) return [readChoices(source, at + 1, closing), closing + 1];
  if (char === "[" && classes) {
    const found = readClass(pattern, at);
    if (found) return found;
  }
  return [{ kind: "letter", takes: (other) => other === char }, at + char.length];
}

function readStars(pattern: string, at: number): readonly [GlobPart, number] {
  let end = at;
  while (pattern.charAt(end) === "*") end += 1;
  const opens = at === 0 || "/{,".includes(pattern.charAt(at - 1));
  if (end - at < 2 || !opens) return [{ kind: "star" }, end];
  if (pattern.charAt(end) === "/") return [{ kind: "deep" }, end + 1];
  const closes = end === pattern.length || "},".includes(pattern.charAt(end));
  return [{ kind: closes ? "rest" : "star" }, end];
}

function readChoices(source: GlobSource, from: number, to: number): Alternatives {
  const choices: GlobPart[][] = [];
  let start = from;
  for (let at = from; at <= to; at += 1) {
    at = source.close.get(at) ?? at;
    if (at !== to && source.pattern.charAt(at) !== ",") continue;
    choices.push(read(source, start, at));
    start = at + 1;
  }
  return { kind: "either", choices };
}

function readClass(pattern: string, at: number): readonly [GlobPart, number] | undefined {
  const end = pattern.indexOf("]", at + 2);
  const body = pattern.slice(at + 1, end);
  if (end < 0 || body.includes("/")) return undefined;
  const negated = body.startsWith("!") || body.startsWith("^");
  const ranges = parseRanges(negated ? body.slice(1) : body);
  const inside: CharTest = (char) => ranges.some(([low, high]) => low <= char && char <= high);
  return [{ kind: "letter", takes: (char) => char !== "/" && inside(char) !== negated }, end + 1];
}

function parseRanges(body: string): readonly (readonly [string, string])[] {
  const ranges: [string, string][] = [];
  for (let at = 0; at < body.length; at += 1) {
    const isRange = body.charAt(at + 1) === "-" && at + 2 < body.length;
    ranges.push([body.charAt(at), body.charAt(isRange ? at + 2 : at)]);
    if (isRange) at += 2;
  }
  return ranges;
}

/** Maps each `{` of a choice to its end. One without a comma or a `}` is a literal character. */
function findClosings(pattern: string): ReadonlyMap<number, number> {
  const close = new Map<number, number>();
  const open: { at: number; choice: boolean }[] = [];
  for (let at = 0; at < pattern.length; at += 1) {
    const char = pattern.charAt(at);
    const inner = open.at(-1);
    if (char === "{") open.push({ at, choice: false });
    if (char === "," && inner) inner.choice = true;
    if (char !== "}" || !inner) continue;
    open.pop();
    if (inner.choice) close.set(inner.at, at);
  }
  return close;
}
