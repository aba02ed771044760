import { classifyPath } from "./exam-path.ts";
import { OWN } from "./started-programs.ts";
import { findLikelyMatches } from "./uses/likely-matches.ts";
import { getStem, listQuoted, type MentionLine } from "./uses/mention.ts";

/** Third-party code in the repository: a folder or a file, and the names by which it is imported. */
export type VendoredPackage = { readonly root: string; readonly names: readonly string[] };

const HOME =
  /^((?:.*\/)?(?:node_modules|bower_components|_?vendor(?:ed)?|third[-_]?party|3rdparty|extern(?:al)?|deps)\/)([^/].*)$/;
/** Words that a project may use for its own sources, for vendors or externals. */
const OWN_WORD = /(?:^|\/)(?:vendor|extern(?:al)?|deps)\/$/;

/** Returns the package of the path: the innermost one if a package contains others. */
export function findVendored(path: string): VendoredPackage | undefined {
  const [, home = "", rest = ""] = HOME.exec(path) ?? [];
  if (rest === "" || (OWN_WORD.test(home) && OWN.test(home))) return undefined;
  const name = rest.split("/").slice(0, countNameParts(rest)).join("/");
  return { root: `${home}${name}`, names: [rest === name ? getStem(name) : name] };
}

/** Adds the headers of a package, because including them does not require its name. */
export function withHeaders(each: VendoredPackage, files: readonly string[]): VendoredPackage {
  const headers = files.filter((path) => path.startsWith(`${each.root}/`) && /\.(?:h|hh|hpp|hxx|inc)$/.test(path));
  const names = headers.map((path) => path.split("/").at(-1) ?? path);
  return { ...each, names: [...new Set([...each.names, ...names])] };
}

/** `@scope/name`, and `example.org/owner/name` for Go. */
function countNameParts(rest: string): number {
  if (rest.startsWith("@")) return 2;
  return /^[\w-]+(?:\.[\w-]+)+\/[^/]+\/[^/]+\//.test(rest) ? 3 : 1;
}

/**
 * `new`: by code that the change added. `open`: by a file that is itself undecided. `package`: by another vendored
 * package.
 */
export type PackageUse = {
  readonly from: string;
  readonly root: string;
  readonly by: "exam" | "code" | "new" | "open" | "package";
};

type VendoredInput = { readonly lines: readonly MentionLine[]; readonly packages: readonly VendoredPackage[] };

/** Returns undefined if there are too many pairs to compare. */
export function findPackageUses(
  { lines, packages }: VendoredInput,
  added: ReadonlySet<string>,
): readonly PackageUse[] | undefined {
  const likely = findLikelyMatches(lines, { items: packages, wordsOf: ({ names }) => names });
  return likely?.flatMap(({ line, items }) => {
    const by = classifyPackageUser(line.path, added);
    const named = by === undefined ? [] : items.filter((each) => isPackageNamed(line, each));
    return named.map(({ root }) => ({ from: line.path, root, by: by ?? "code" }));
  });
}

/**
 * Selects the packages that are exam: tests use them, directly or indirectly, and no code does. Packages with only
 * undecided users, or only users as new as the package, are undecided.
 */
export function selectExamPackages(uses: readonly PackageUse[]) {
  const [code, fresh, open, exam] = (["code", "new", "open", "exam"] as const).map((by) =>
    collectReachedPackages(uses, by),
  );
  const ours = [...new Set([...(exam ?? []), ...(open ?? [])])].filter((root) => !code?.has(root));
  const isUnsure = (root: string) => fresh?.has(root) || open?.has(root);
  return { exam: new Set(ours.filter((root) => !isUnsure(root))), unsure: new Set(ours.filter(isUnsure)) };
}

function collectReachedPackages(uses: readonly PackageUse[], by: PackageUse["by"]): ReadonlySet<string> {
  const roots = new Set(uses.filter((use) => use.by === by).map(({ root }) => root));
  // A set iterates over elements that are added during the iteration.
  for (const root of roots) {
    for (const use of uses) if (use.by === "package" && findVendored(use.from)?.root === root) roots.add(use.root);
  }
  return roots;
}

/** Lists or builds packages without indicating their purpose. */
const NEITHER =
  /\.(?:md|mdx|rst|adoc|txt|lock|svg|log|ya?ml|toml|cfg|json|mk|gradle|xml|cmake)$|(?:^|\/)(?:LICENSE|CODEOWNERS|(?:GNU)?[Mm]akefile|[Jj]ustfile|CMakeLists\.txt|go\.(?:mod|sum))$|^docs?\//;

function classifyPackageUser(path: string, added: ReadonlySet<string>): PackageUse["by"] | undefined {
  if (NEITHER.test(path)) return undefined;
  if (findVendored(path)) return "package";
  const kind = classifyPath(path);
  if (kind === "exam" || kind === "likely") return "exam";
  if (kind === "support") return "open";
  return added.has(path) ? "new" : "code";
}

/** Returns whether the line imports the package or a part of it. */
function isPackageNamed({ path, text }: MentionLine, { root, names }: VendoredPackage): boolean {
  if (path === root || path.startsWith(`${root}/`)) return false;
  const likely = names.filter((name) => text.includes(name));
  if (likely.length === 0) return false;
  const [, module = ""] = /^\s*(?:from|import)\s+([\w.]+)/.exec(text) ?? [];
  if (path.endsWith(".py") && likely.some((name) => module.split(".").includes(name))) return true;
  const angled = [...text.matchAll(/<([^<>]{1,300})>/g)].map(([, said = ""]) => said);
  const said = [...listQuoted(text), ...angled].flatMap((each) => [`/${each}/`, `/${each.replace(/\.\w+$/, "")}/`]);
  return likely.some((name) => said.some((each) => each.includes(`/${name}/`)));
}
