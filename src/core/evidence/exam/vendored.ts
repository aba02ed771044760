import { pathKind } from "./exam-path.ts";
import { type MentionLine, quotedIn } from "./mention.ts";

/** Other people's code that lies in the repository: a folder, and how it is named by whoever uses it. */
export type Vendored = { readonly root: string; readonly name: string };

const HOME =
  /^((?:.*\/)?(?:node_modules|bower_components|_?vendor(?:ed)?|third[-_]?party|3rdparty|extern(?:al)?|deps)\/)(.+\/.+)$/;

/** The package that the path belongs to. The innermost one, where a package brings others along. */
export function vendoredIn(path: string): Vendored | undefined {
  const [, home = "", rest = ""] = HOME.exec(path) ?? [];
  if (rest === "") return undefined;
  const name = rest.split("/").slice(0, partsOf(rest)).join("/");
  return rest === name ? undefined : { root: `${home}${name}`, name };
}

/** `@scope/name`, and `example.org/owner/name` as Go has it. */
function partsOf(rest: string): number {
  if (rest.startsWith("@")) return 2;
  return /^[\w-]+(?:\.[\w-]+)+\/[^/]+\/[^/]+\//.test(rest) ? 3 : 1;
}

/** `new`: by code that the change itself has added. `package`: by another one of them. */
export type PackageUse = {
  readonly from: string;
  readonly root: string;
  readonly by: "exam" | "code" | "new" | "package";
};

type Asked = { readonly lines: readonly MentionLine[]; readonly packages: readonly Vendored[] };

export function packageUses({ lines, packages }: Asked, added: ReadonlySet<string>): readonly PackageUse[] {
  return lines.flatMap((line) => {
    const by = userOf(line.path, added);
    const named = by === undefined ? [] : packages.filter((each) => namesPackage(line, each));
    return named.map(({ root }) => ({ from: line.path, root, by: by ?? "code" }));
  });
}

/**
 * Those of the packages that are the exam: tests use them, by way of others or not, and no code does. Where only code
 * says otherwise that is as new as they are, nobody can say.
 */
export function examPackages(uses: readonly PackageUse[]) {
  const code = reached(uses, "code");
  const fresh = reached(uses, "new");
  const exam = [...reached(uses, "exam")].filter((root) => !code.has(root));
  return {
    exam: new Set(exam.filter((root) => !fresh.has(root))),
    unsure: new Set(exam.filter((root) => fresh.has(root))),
  };
}

function reached(uses: readonly PackageUse[], by: PackageUse["by"]): ReadonlySet<string> {
  const roots = new Set(uses.filter((use) => use.by === by).map(({ root }) => root));
  // A set hands out what is added while it is walked.
  for (const root of roots) {
    for (const use of uses) if (use.by === "package" && vendoredIn(use.from)?.root === root) roots.add(use.root);
  }
  return roots;
}

/** Speaks of packages, or builds with them, and says nothing about what they are for. */
const NEITHER =
  /\.(?:md|mdx|rst|adoc|txt|lock|svg|log|ya?ml|toml|cfg|json|mk|gradle|xml|cmake)$|(?:^|\/)(?:LICENSE|CODEOWNERS|(?:GNU)?[Mm]akefile|[Jj]ustfile|CMakeLists\.txt|go\.(?:mod|sum))$|^docs?\//;

function userOf(path: string, added: ReadonlySet<string>): PackageUse["by"] | undefined {
  if (NEITHER.test(path)) return undefined;
  if (vendoredIn(path)) return "package";
  const kind = pathKind(path);
  if (kind === "exam" || kind === "likely") return "exam";
  return added.has(path) ? "new" : "code";
}

/** Does the line import the package, or something out of it? */
function namesPackage({ path, text }: MentionLine, { root, name }: Vendored): boolean {
  if (path.startsWith(`${root}/`) || !text.includes(name)) return false;
  const [, module = ""] = /^\s*(?:from|import)\s+([\w.]+)/.exec(text) ?? [];
  if (path.endsWith(".py") && module.split(".").includes(name)) return true;
  const angled = [...text.matchAll(/<([^<>]{1,300})>/g)].map(([, said = ""]) => said);
  return [...quotedIn(text), ...angled].some((said) => `/${said.replace(/\.\w+$/, "")}/`.includes(`/${name}/`));
}
