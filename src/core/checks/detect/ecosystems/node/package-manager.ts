import type { InstallWays } from "../../../cure/install-ways.ts";
import type { DetectedSetup, ProjectFiles } from "../../detected.ts";
import { fetchNpmTool } from "../npm-tool.ts";
import type { PackageFile } from "../package-file.ts";
import { selectFetchedVersion } from "./fetched-version.ts";
import { isSpread } from "./workspaces.ts";

type ManagerName = "npm" | "pnpm" | "yarn" | "bun";

export type PackageManager = {
  readonly name: ManagerName;
  /** Prefix of each of its lines. */
  readonly before: string;
  /** Yarn 2 or newer, whose packages are in the home. */
  readonly modern: boolean;
  readonly setup?: Pick<DetectedSetup, "run" | "lockFile">;
};

type ManagerTraits = {
  readonly locks: readonly string[];
  /** Installs exactly the locked versions, or those that the manifest requires. */
  locked(modern: boolean): string;
  readonly unlocked: string;
  /** Package through which npm fetches it. */
  npmPackage?(version: string): string;
};

/** Ordered: of two lock files the first one in this list is used. */
const MANAGERS: Readonly<Record<ManagerName, ManagerTraits>> = {
  pnpm: {
    locks: ["pnpm-lock.yaml"],
    locked: () => "pnpm install --frozen-lockfile",
    unlocked: "pnpm install --no-frozen-lockfile",
    npmPackage: (version) => `pnpm@${version}`,
  },
  yarn: {
    locks: ["yarn.lock"],
    locked: (modern) => `yarn install ${modern ? "--immutable" : "--frozen-lockfile"}`,
    unlocked: "yarn install",
    npmPackage: selectYarnPackage,
  },
  bun: {
    locks: ["bun.lock", "bun.lockb"],
    locked: () => "bun install --frozen-lockfile",
    unlocked: "bun install",
    npmPackage: (version) => `bun@${version}`,
  },
  npm: {
    locks: ["package-lock.json", "npm-shrinkwrap.json"],
    locked: () => "npm ci",
    unlocked: "npm install --no-audit --no-fund",
  },
};

export const MANAGER_PROGRAMS: Readonly<Record<string, InstallWays>> = {
  npm: ["https://nodejs.org"],
  npx: ["https://nodejs.org"],
  node: ["https://nodejs.org"],
  pnpm: ["npm install -g pnpm", "https://pnpm.io/installation"],
  yarn: ["npm install -g yarn", "https://yarnpkg.com/getting-started/install"],
  bun: ["npm install -g bun", "https://bun.com/docs/installation"],
};

/** Returns the manager that the package names, else that of the lock file; or a text about an unknown manager. */
export function detectPackageManager(found: PackageFile, project: ProjectFiles): PackageManager | string {
  const asked = parseRequestedManager(found);
  const name = asked?.name ?? findLockFile(project.names) ?? "npm";
  if (!isKnown(name)) return `package.json names the unknown package manager ${name}`;
  const manager = MANAGERS[name];
  const lock = manager.locks.find((file) => project.names.has(file));
  const version = asked?.version ?? "";
  const modern = name === "yarn" && (version === "" ? project.names.has(".yarnrc.yml") : !/^\D*1\b/.test(version));
  const wanted = manager.npmPackage?.(selectFetchedVersion(name, version, project));
  const { fetch, before } = fetchNpmTool(project.missing.has(name) ? wanted : undefined);
  const base = { name, before, modern };
  if (lock === undefined && !needsPackages(found, project)) return base;
  const run = `${fetch}${before}${lock === undefined ? manager.unlocked : manager.locked(modern)}`;
  if (modern || isSpread(found, project.names)) return { ...base, setup: { run } };
  return { ...base, setup: { run, lockFile: lock ?? "package.json" } };
}

type RequestedManager = { readonly name: string; readonly version: string };

/** `packageManager` is one version, `devEngines` may be a range. */
function parseRequestedManager({ packageManager, devEngines }: PackageFile): RequestedManager | undefined {
  const [name, version = ""] = packageManager?.split("+")[0]?.split("@") ?? [];
  return name === undefined ? devEngines?.packageManager : { name, version };
}

function findLockFile(names: ReadonlySet<string>): string | undefined {
  return Object.entries(MANAGERS).find(([, { locks }]) => locks.some((file) => names.has(file)))?.[0];
}

const isKnown = (name: string): name is ManagerName => Object.hasOwn(MANAGERS, name);

function needsPackages(found: PackageFile, { names }: ProjectFiles): boolean {
  const { dependencies, devDependencies, peerDependencies } = found;
  const named = [dependencies, devDependencies, peerDependencies].flatMap((each) => Object.keys(each ?? {}));
  return named.length > 0 || isSpread(found, names);
}

function selectYarnPackage(version: string): string {
  return /^1\b/.test(version) ? `yarn@${version}` : `@yarnpkg/cli-dist@${version}`;
}
