import type { Package } from "./detect-node.ts";
import type { ProjectFiles } from "./detected.ts";

export type Manager = {
  /** What stands before the name of a script. */
  readonly runs: string;
  readonly setup?: { readonly run: string; readonly lockFile?: string };
};

type Name = "npm" | "pnpm" | "yarn";

const LOCKS: readonly (readonly [Name, string])[] = [
  ["pnpm", "pnpm-lock.yaml"],
  ["yarn", "yarn.lock"],
  ["npm", "package-lock.json"],
  ["npm", "npm-shrinkwrap.json"],
];
const OTHERS = ["bun.lock", "bun.lockb", "deno.lock"];

export function managerOf(found: Package, project: ProjectFiles): Manager | undefined {
  const named = nameOf(found, project.names);
  if (!named) return undefined;
  const { name, version, lock } = named;
  const modern = name === "yarn" && (version === "" ? project.names.has(".yarnrc.yml") : !version.startsWith("1."));
  const own = name === "npm" || !project.missing.has(name) ? OWN : toolsOf(name, version);
  const runs = `${own.before}${name} run`;
  if (lock === undefined && !needsPackages(found)) return { runs };
  const installs = lock === undefined ? UNLOCKED[name] : LOCKED[name](modern);
  const run = `${own.fetch}${own.before}${installs}`;
  if (modern || isSpread(found, project.names)) return { runs, setup: { run } };
  return { runs, setup: { run, lockFile: lock ?? "package.json" } };
}

type Named = { readonly name: Name; readonly version: string; readonly lock: string | undefined };

/** What the package names, otherwise whose lock file there is; nothing where it is one that we do not know. */
function nameOf({ packageManager }: Package, names: ReadonlySet<string>): Named | undefined {
  const [named, version = ""] = packageManager?.split("+")[0]?.split("@") ?? [];
  const locks = LOCKS.filter(([, file]) => names.has(file));
  const lock = named === undefined ? locks[0] : locks.find(([name]) => name === named);
  if (named === undefined && !lock && OTHERS.some((file) => names.has(file))) return undefined;
  const name = named ?? lock?.[0] ?? "npm";
  return name === "npm" || name === "pnpm" || name === "yarn" ? { name, version, lock: lock?.[1] } : undefined;
}

const LOCKED: Readonly<Record<Name, (modern: boolean) => string>> = {
  npm: () => "npm ci",
  pnpm: () => "pnpm install --frozen-lockfile",
  yarn: (modern) => `yarn install ${modern ? "--immutable" : "--frozen-lockfile"}`,
};

const UNLOCKED: Readonly<Record<Name, string>> = {
  npm: "npm install --no-audit --no-fund",
  pnpm: "pnpm install --no-frozen-lockfile",
  yarn: "yarn install",
};

function needsPackages({ dependencies, devDependencies, peerDependencies, workspaces }: Package): boolean {
  const named = [dependencies, devDependencies, peerDependencies].flatMap((each) => Object.keys(each ?? {}));
  return named.length > 0 || workspaces !== undefined;
}

/** Packages of a workspace have folders of their own below the top, and a modern yarn's lie in the home. */
function isSpread({ workspaces }: Package, names: ReadonlySet<string>): boolean {
  return workspaces !== undefined || names.has("pnpm-workspace.yaml") || names.has("lerna.json");
}

const OWN = { fetch: "", before: "" };
const TOOLS = ".tools";

/**
 * Fetched by npm into the checkout, because checks have no network and scripts call their manager by its name. The very
 * version that the package names: another one would fetch that at every call.
 */
function toolsOf(name: "pnpm" | "yarn", version: string): typeof OWN {
  const wanted = name === "pnpm" ? `pnpm@${version || "10"}` : yarnPackage(version);
  return {
    fetch: `npm install --prefix ${TOOLS} --no-save --no-audit --no-fund ${wanted} && `,
    before: `PATH=$PWD/${TOOLS}/node_modules/.bin:$PATH `,
  };
}

/** The old one hands over to a newer one that the repository itself brings. */
function yarnPackage(version: string): string {
  if (version === "") return "yarn@1";
  return version.startsWith("1.") ? `yarn@${version}` : `@yarnpkg/cli-dist@${version}`;
}
