type OpenTarget = { needs: string[]; recipe: string[] };
export type MakeTarget = { readonly needs: readonly string[]; readonly recipe: readonly string[] };

/** Parses the explicit targets of a Makefile with their recipe lines, without comments and with lines joined at `\`. */
export function parseMakeTargets(text: string): ReadonlyMap<string, MakeTarget> {
  const targets = new Map<string, OpenTarget>();
  let open: OpenTarget[] = [];
  let left = MOST_LINES;
  for (const line of joinContinuedLines(text).filter((each) => each.trim() !== "")) {
    if (line.startsWith("\t")) {
      left -= open.length;
      if (left < 0) break;
      for (const target of open) target.recipe.push(line.trim());
      continue;
    }
    const rule = parseRule(line);
    if (!rule) {
      open = [];
      continue;
    }
    left -= rule.names.length * (1 + rule.needs.length + rule.first.length);
    if (left < 0) break;
    open = rule.names.map((name) => openTarget(targets, name, rule));
  }
  return targets;
}

function openTarget(targets: Map<string, OpenTarget>, name: string, rule: MakeRule): OpenTarget {
  const target = targets.get(name) ?? { needs: [], recipe: [] };
  // One by one, because a call takes a limited number of arguments.
  for (const need of rule.needs) target.needs.push(need);
  for (const line of rule.first) target.recipe.push(line);
  targets.set(name, target);
  return target;
}

/** Every name before a colon gets all lines after it. The rest is not read beyond this total. */
const MOST_LINES = 200_000;

function joinContinuedLines(text: string): readonly string[] {
  const lines: string[] = [];
  let open = "";
  for (const raw of text.split("\n")) {
    const line = raw.trimEnd();
    if (line.endsWith("\\")) {
      open += `${line.slice(0, -1)} `;
      continue;
    }
    const whole = open + (open === "" ? line : line.trim());
    open = "";
    if (!whole.trim().startsWith("#")) lines.push(whole);
  }
  return open === "" ? lines : [...lines, open];
}

type MakeRule = {
  readonly names: readonly string[];
  readonly needs: readonly string[];
  readonly first: readonly string[];
};

function parseRule(line: string): MakeRule | undefined {
  const colon = line.indexOf(":");
  // `:=`, `::=` and everything after an earlier `=` assign a variable.
  if (colon < 1 || line.slice(0, colon).includes("=") || /^:{1,3}=/.test(line.slice(colon))) return undefined;
  const [needs = "", ...first] = line.slice(colon + 1).split(";");
  const names = splitMakeWords(line.slice(0, colon)).filter((name) => !name.startsWith(".") && !name.includes("%"));
  return { names, needs: splitMakeWords(needs.replace(/^:/, "")), first: first.map((part) => part.trim()) };
}

function splitMakeWords(text: string): readonly string[] {
  return text.split(/[ \t]/).filter((word) => word !== "");
}
