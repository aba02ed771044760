type PackageFields = Readonly<Record<string, unknown>>;

type ManifestChange = {
  readonly path: string;
  readonly before: string;
  readonly after: string;
  /** Names of packages that were installed before. */
  readonly installed: ReadonlySet<string>;
};

/**
 * Finds installed packages that a manifest takes from outside a registry, patches, or is itself: a folder of the
 * repository with the name of an installed package can be installed in its place.
 */
export function findReplacedInManifest({ path, before, after, installed }: ManifestChange): readonly string[] {
  const named = getOwnName(path, after);
  const own = named !== undefined && named !== getOwnName(path, before) && installed.has(named) ? [named] : [];
  if (/(?:^|\/)package\.json$/.test(path)) {
    const [then, now] = [listSources(parse(before)), listSources(parse(after))];
    const isNew = ([key, place]: readonly [string, string]) => then.get(key) !== place;
    const names = [...now].filter(isNew).map(([key]) => extractPackageName(key));
    return [...new Set([...own, ...names.filter((name) => installed.has(name))])].sort();
  }
  if (REQUIREMENTS.test(path))
    return [...new Set([...own, ...findForeignRequirements(before, after, installed)])].sort();
  if (/(?:^|\/)pnpm-workspace\.yaml$/.test(path)) {
    const lines = listMissingLines(after, before).flatMap((line) => WORKSPACE_ENTRY.exec(line)?.slice(1) ?? []);
    return [...new Set(lines.map(extractPackageName).filter((name) => installed.has(name)))].sort();
  }
  return own;
}

/** Returns the name under which a manifest's folder can be installed. */
export function getOwnName(path: string, text: string): string | undefined {
  if (/(?:^|\/)(?:package|composer)\.json$/.test(path)) {
    const { name } = parse(text);
    return typeof name === "string" ? name : undefined;
  }
  if (/(?:^|\/)(?:pyproject|Cargo)\.toml$/.test(path)) {
    const section = /^\[(?:project|tool\.poetry|package)\]\s*\n((?:(?!\[).*\n?)*)/m.exec(text)?.[1] ?? "";
    return /^name\s*=\s*["']([^"']+)["']/m.exec(section)?.[1];
  }
  if (path.endsWith("setup.cfg")) return /^name\s*=\s*(\S+)/m.exec(text)?.[1];
  return path.endsWith("setup.py") ? /\bname\s*=\s*["']([^"']+)["']/.exec(text)?.[1] : undefined;
}

/** Lists packages that a manifest requests, whoever provides them. */
export function listRequestedNames(path: string, text: string): readonly string[] {
  if (/(?:^|\/)package\.json$/.test(path)) {
    const fields = parse(text);
    return DEPENDENCIES.flatMap((key) => Object.keys(parseManifestFields(fields[key])));
  }
  if (REQUIREMENTS.test(path)) return text.split("\n").flatMap((line) => parseRequirementName(line) ?? []);
  if (!path.endsWith("pyproject.toml")) return [];
  const listed = [...text.matchAll(/["']([A-Za-z][\w.-]*)\s*(?:\[[^\]]*\])?\s*(?:[<>=!~;@].*?)?["']/g)];
  return listed.map(([, name = ""]) => name);
}

const REQUIREMENTS =
  /(?:^|\/)(?:[\w.-]*requirements[\w.-]*\.(?:txt|in)|constraints\.txt|requirements\/[^/]+\.(?:txt|in))$/;
const DEPENDENCIES = "dependencies devDependencies peerDependencies optionalDependencies".split(" ");
const OVERRIDES = "overrides resolutions pnpm patchedDependencies".split(" ");
/** A package that is not a release from the registry. */
export const ELSEWHERE = /^(?:file|link|portal|git|github|https?|npm|patch|workspace)\b[^ ]*:|^[\w.~-]*\//;

/** Maps each way to name a package to its source if that is not a registry. */
function listSources(fields: PackageFields): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const walk = (value: unknown, key: string): void => {
    if (typeof value === "string") {
      const isPatch = key.includes("patchedDependencies");
      if (isPatch || ELSEWHERE.test(value)) found.set(key, value);
    } else
      for (const [name, inner] of Object.entries(parseManifestFields(value)))
        walk(inner, name === "." ? key : `${key}\n${name}`);
  };
  for (const key of [...DEPENDENCIES, ...OVERRIDES]) walk(fields[key], key);
  return found;
}

/** `parent>child@2`, `glob/child`, `@scope/name@npm:1`. */
function extractPackageName(key: string): string {
  const last = key.split("\n").at(-1)?.split(">").at(-1) ?? "";
  const [, name = last] =
    /^(?:.*\/)?(@[^/@]+\/[^/@]+)(?:@.*)?$/.exec(last) ?? /^(?:.*\/)?([^/@]+)(?:@.*)?$/.exec(last) ?? [];
  return name;
}

const WORKSPACE_ENTRY =
  /^\s+["']?((?:@[\w.-]+\/)?[\w.>-]+(?:@[^"':]+)?)["']?:\s*["']?(?:(?:file|link|npm|git|https?|workspace)\S*:|\.|patches)/;

function findForeignRequirements(before: string, after: string, installed: ReadonlySet<string>): readonly string[] {
  const fresh = listMissingLines(after, before);
  return fresh.flatMap((line) => {
    const name = parseRequirementName(line);
    const isElsewhere = name !== undefined && /\s@\s|^\S+@/.test(line) && installed.has(name);
    // Other locations to search for packages, or a folder of them.
    const option = /^\s*(-i|-f|--index-url|--extra-index-url|--find-links|--no-index)\b/.exec(line)?.[1];
    return isElsewhere ? [name] : option === undefined ? [] : [option];
  });
}

function parseRequirementName(line: string): string | undefined {
  return /^\s*([A-Za-z][\w.-]*)\s*(?:\[|[<>=!~;@#]|$)/.exec(line)?.[1];
}

function listMissingLines(text: string, other: string): readonly string[] {
  const known = new Set(other.split("\n").map((line) => line.trim()));
  return text.split("\n").filter((line) => !known.has(line.trim()));
}

function parse(text: string): PackageFields {
  try {
    return parseManifestFields(JSON.parse(text));
  } catch {
    return {};
  }
}

function parseManifestFields(value: unknown): PackageFields {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as PackageFields) : {};
}
