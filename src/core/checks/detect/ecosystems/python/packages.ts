import type { ProjectFiles } from "../../detected.ts";

type PackageFiles = Pick<ProjectFiles, "files" | "names">;

/** Returns whether pip can install the project itself. */
export function isInstallable({ files, names }: PackageFiles): boolean {
  if (names.has("setup.py")) return true;
  return [...parseTomlTables(files.get("pyproject.toml") ?? "").keys()].some((name) =>
    /^(?:project|build-system|tool\.poetry)$/.test(name),
  );
}

/** Ordered by preference: a project with test packages does not need its development packages for tests. */
const WANTED = ["tests", "test", "testing", "dev"];

/** Lists what pip installs for the tests: the project in place, with its extras and groups for tests. */
export function testPackages({ files }: PackageFiles): readonly string[] {
  const tables = parseTomlTables(files.get("pyproject.toml") ?? "");
  const extra = WANTED.find((name) => listExtras(files, tables).has(name));
  const project = extra === undefined ? "-e ." : `-e '.[${extra}]'`;
  return [project, ...groupPackages(tables).map(quoted)];
}

/** Returns the extra and the group that tests need, for programs that support both. */
export function testParts({ files }: PackageFiles): { readonly extra?: string; readonly group?: string } {
  const tables = parseTomlTables(files.get("pyproject.toml") ?? "");
  const groups = tables.get("dependency-groups") ?? [];
  const extra = WANTED.find((name) => listExtras(files, tables).has(name));
  const group = WANTED.find(
    (name) => extractList(groups, name) !== undefined || tables.has(`tool.poetry.group.${name}.dependencies`),
  );
  return { ...(extra === undefined ? {} : { extra }), ...(group === undefined ? {} : { group }) };
}

type TomlTables = ReadonlyMap<string, readonly string[]>;

/** Reads a subset of TOML: tables with keys and lists of texts. */
function parseTomlTables(text: string): TomlTables {
  const tables = new Map<string, string[]>([["", []]]);
  let current: string[] = tables.get("") ?? [];
  for (const line of text.split("\n")) {
    const name = /^\[([^[\]]+)\]\s*(?:#.*)?$/.exec(line.trim())?.[1];
    if (name === undefined) {
      current.push(line);
      continue;
    }
    current = tables.get(name.trim()) ?? [];
    tables.set(name.trim(), current);
  }
  return tables;
}

function listExtras(files: ReadonlyMap<string, string>, tables: TomlTables): ReadonlySet<string> {
  const keys = (lines: readonly string[] = []) => lines.flatMap((line) => /^([\w-]+)\s*=/.exec(line)?.[1] ?? []);
  const cfg = parseTomlTables(files.get("setup.cfg") ?? "").get("options.extras_require");
  const script = files.get("setup.py") ?? "";
  const inScript = script.includes("extras_require")
    ? [...script.matchAll(/["'](\w+)["']\s*:/g)].map(([, name]) => name ?? "")
    : [];
  return new Set([
    ...keys(tables.get("project.optional-dependencies")),
    ...keys(tables.get("tool.poetry.extras")),
    ...keys(cfg),
    ...inScript,
  ]);
}

/** Lists the packages by name, because older versions of pip do not know groups. */
function groupPackages(tables: TomlTables): readonly string[] {
  const groups = tables.get("dependency-groups") ?? [];
  const group = WANTED.find((name) => extractList(groups, name) !== undefined);
  if (group !== undefined) return expandGroup(groups, group);
  const poetry = WANTED.map((name) => `tool.poetry.group.${name}.dependencies`).find((name) => tables.has(name));
  const lines = tables.get(poetry ?? "tool.poetry.dev-dependencies") ?? [];
  return lines.flatMap((line) => /^([\w.-]+)\s*=/.exec(line)?.[1] ?? []);
}

function expandGroup(groups: readonly string[], name: string, seen: readonly string[] = []): readonly string[] {
  if (seen.includes(name)) return [];
  const list = extractList(groups, name) ?? "";
  const included = [...list.matchAll(/include-group\s*=\s*["']([\w-]+)["']/g)].map(([, group]) => group ?? "");
  const plain = list.replace(/\{[^}]*\}/g, "");
  const own = [...plain.matchAll(/"([^"]*)"|'([^']*)'/g)].map(([, double, single]) => double ?? single ?? "");
  return [...own, ...included.flatMap((group) => expandGroup(groups, group, [...seen, name]))];
}

/** Returns the text between the brackets of `name = [ … ]`, over several lines. */
function extractList(lines: readonly string[], name: string): string | undefined {
  const at = lines.findIndex((line) => new RegExp(`^${name}\\s*=\\s*\\[`).test(line));
  if (at < 0) return undefined;
  const rest = lines.slice(at);
  const end = rest.findIndex((line) => /\]\s*(?:#.*)?$/.test(line));
  const text = rest
    .slice(0, end + 1)
    .map((line) => line.replace(/^\s*#.*$/, ""))
    .join("\n");
  return text.slice(text.indexOf("[") + 1, text.lastIndexOf("]"));
}

function quoted(name: string): string {
  return /^[\w.-]+$/.test(name) ? name : `'${name.replaceAll("'", '"')}'`;
}
