/** Files of a tree that an install can read: all paths, and the text of the relevant ones. */
export type InstallTree = { readonly paths: ReadonlySet<string>; readonly texts: ReadonlyMap<string, string> };

/** Returns whether the text of this file of Node's package managers determines what installing runs. */
export function isNodeText(path: string): boolean {
  return isManifest(path) || isSettings(path) || isLock(path);
}

/**
 * Detects settings that name a program, hooks of a manager, files of variables, packages and patches from the tree
 * itself.
 */
export function isReadingTree({ paths, texts }: InstallTree): boolean {
  if ([...paths].some((path) => /^\.(?:pnpmfile\.|env)/.test(getLastPathPart(path)))) return true;
  return [...texts].some(
    ([path, text]) => (isManifest(path) && hasLocal(text)) || (isSettings(path) && RUNS_CODE.test(text)),
  );
}

/** Detects install scripts: the project's own are code of the tree, those of packages may read any of it. */
export function hasInstallScripts({ paths, texts }: InstallTree): boolean {
  if ([...paths].some((path) => getLastPathPart(path) === "binding.gyp")) return true;
  return [...texts].some(
    ([path, text]) => (isManifest(path) && isDeclaringScripts(text)) || (isLock(path) && hasForeignScripts(text)),
  );
}

const LIFECYCLE = [
  ...["preinstall", "install", "postinstall", "prepublish", "preprepare", "prepare", "postprepare"],
  ...["dependencies", "predependencies", "postdependencies", "pnpm:devPreinstall"],
];
const RUNS_CODE = new RegExp(
  `^\\s*"?(?:${[
    "node-options|nodeOptions|node-gyp|python|script-shell|scriptShell|shell|git|injectEnvironmentFiles",
    "yarn-path|yarnPath|plugins|(?:global-?)?pnpmfile|patchedDependencies",
  ].join("|")})`,
  "im",
);
const LOCAL_PACKAGE = /"(?:file|link|portal|patch|exec):|"\.{0,2}\/|patchedDependencies/;

/** Packages whose scripts only fetch or build their own program. Scripts of other packages may read anything. */
const HARMLESS: ReadonlySet<string> = new Set([
  ...["esbuild", "fsevents", "sharp", "@swc/core", "@parcel/watcher", "better-sqlite3", "sqlite3", "bcrypt", "argon2"],
  ...["canvas", "core-js", "core-js-pure", "electron", "msgpackr-extract", "unrs-resolver"],
  ...["bufferutil", "utf-8-validate", "node-sass", "protobufjs", "re2", "workerd", "@biomejs/biome", "node-pty"],
]);

function isDeclaringScripts(text: string): boolean {
  const scripts = parseObject(text)?.["scripts"];
  if (parseObject(text) === undefined) return true;
  return typeof scripts === "object" && LIFECYCLE.some((name) => Object.hasOwn(scripts ?? {}, name));
}

/** Searches the dependencies only, because a package's own entry points are paths too. */
function hasLocal(text: string): boolean {
  const found = parseObject(text);
  if (found === undefined) return true;
  const asked = Object.entries(found).filter(([key]) => /dependencies$|^overrides$|^resolutions$|^pnpm$/i.test(key));
  return LOCAL_PACKAGE.test(JSON.stringify(asked));
}

/** Lock files of version 1 do not mark packages with scripts. */
function hasForeignScripts(text: string): boolean {
  const packages = parseObject(text)?.["packages"];
  if (typeof packages !== "object" || packages === null) return true;
  return Object.entries(packages).some(([path, about]: [string, unknown]) => {
    const runs = typeof about === "object" && about !== null && "hasInstallScript" in about;
    return runs && !HARMLESS.has(path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length));
  });
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const found: unknown = JSON.parse(text);
    // The cast is true: an object has keys with unknown values.
    return typeof found === "object" && found !== null ? (found as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

const isManifest = (path: string): boolean => getLastPathPart(path) === "package.json";
const isSettings = (path: string): boolean =>
  /^(?:\.npmrc|\.yarnrc(?:\.yml)?|pnpm-workspace\.yaml)$/.test(getLastPathPart(path));
const isLock = (path: string): boolean => /^(?:package-lock|npm-shrinkwrap)\.json$/.test(getLastPathPart(path));
const getLastPathPart = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
