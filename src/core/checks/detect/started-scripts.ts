import { listScriptNames } from "../exam/started-programs.ts";

/** Script of a package.json that a line may start. */
export type PackageScript = { readonly path: string; readonly name: string; readonly text: string };

/**
 * Finds the scripts that these lines start, with those that they call and their pre and post scripts. A false positive
 * costs an additional check; a false negative would run an unseen script.
 */
export function findStartedScripts(
  lines: readonly string[],
  manifests: ReadonlyMap<string, string>,
): readonly PackageScript[] {
  return [...manifests].flatMap(([path, text]) => {
    const scripts = parseScripts(text);
    // A line that leads to other packages may start any script there.
    const names = path === TOP ? collectReachedScripts(lines, scripts) : Object.keys(scripts);
    return names.toSorted().map((name) => ({ path, name, text: scripts[name] ?? "" }));
  });
}

/** Returns whether a line may start scripts of packages other than the top. */
export function mayLeavePackage(line: string): boolean {
  return /(?:^|[\s(])(?:cd|lerna|turbo|nx|workspaces?|-C|-w|-r|--prefix|--workspaces?|--recursive|--filter|--cwd|--dir)(?=[\s=]|$)/.test(
    line,
  );
}

export function isMakeCall(line: string): boolean {
  return /(?:^|[\s;&|(])g?make(?=\s|$)/.test(line);
}

export function isManagerCall(line: string): boolean {
  return /(?:^|[\s;&|(])(?:npm|npx|pnpm|yarn|bun)(?=\s|$)/.test(line);
}

const TOP = "package.json";
/** Above this number the calls are not resolved: every script may run. */
const MOST_SCRIPTS = 500;

function collectReachedScripts(lines: readonly string[], scripts: Readonly<Record<string, string>>): readonly string[] {
  const known = Object.keys(scripts);
  if (known.length > MOST_SCRIPTS) return known;
  const found = new Set<string>();
  const waiting = [...lines];
  for (let line = waiting.pop(); line !== undefined; line = waiting.pop()) {
    for (const name of findScriptNames(line, known)) {
      if (found.has(name)) continue;
      found.add(name);
      waiting.push(scripts[name] ?? "");
    }
  }
  return [...found];
}

function findScriptNames(line: string, known: readonly string[]): readonly string[] {
  const said = listScriptNames(line).map((word) => SHORT[word] ?? word);
  const named = known.filter((name) => said.some((word) => matches(word, name)));
  const around = named.flatMap((name) => [`pre${name}`, `post${name}`]);
  const installed = INSTALLS.test(line) ? LIFECYCLE : [];
  return [...named, ...[...around, ...installed].filter((name) => known.includes(name))];
}

const SHORT: Readonly<Record<string, string>> = { t: "test", tst: "test" };
const INSTALLS = /\b(?:npm (?:ci|i|install|it|cit)|pnpm (?:i|install)|bun install|yarn(?: install)?)\b/;
const LIFECYCLE = [
  ...["preinstall", "install", "postinstall", "prepublish", "preprepare", "prepare", "postprepare"],
  ...["predependencies", "dependencies", "postdependencies", "pnpm:devPreinstall"],
];

/** `test:*` matches every script with that prefix. */
function matches(word: string, name: string): boolean {
  const star = word.indexOf("*");
  return star < 0 ? word === name : name.startsWith(word.slice(0, star));
}

function parseScripts(text: string): Readonly<Record<string, string>> {
  try {
    const found: unknown = JSON.parse(text);
    const scripts = typeof found === "object" && found !== null && "scripts" in found ? found.scripts : undefined;
    const entries = typeof scripts === "object" && scripts !== null ? Object.entries(scripts) : [];
    return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === "string"));
  } catch {
    return {};
  }
}
