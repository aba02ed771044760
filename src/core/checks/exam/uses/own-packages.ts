import { getOwnName } from "../locks/replaced-in-manifest.ts";

/** Name by which sources of the repository import some of its files. */
type OwnName = {
  readonly name: string;
  /** Folder for the rest of the name, with a trailing slash; empty for the top. */
  readonly folder: string;
  /** Files that the name alone refers to, without extension. */
  readonly entries: readonly string[];
};

/** Names and entries of the repository's own packages, from its manifests. */
export type OwnPackages = {
  readonly names: readonly OwnName[];
  /** Package folders below the top that manifests depend on only for development. */
  readonly apart: readonly string[];
  /** Folders of all packages. */
  readonly folders: readonly string[];
  /** Files that a manifest only gives an internal name, which users of the package cannot use; without extension. */
  readonly nicknamed: ReadonlySet<string>;
  /** Package names in Python's form. */
  readonly modules: ReadonlySet<string>;
};

export const NO_PACKAGES: OwnPackages = {
  names: [],
  apart: [],
  folders: [],
  nicknamed: new Set(),
  modules: new Set(),
};

/** Returns whether `readOwnPackages` needs the file. */
export function isNaming(path: string): boolean {
  return NAMING.test(path) && !/(?:^|\/)(?:node_modules|vendor|third_party)\//.test(path);
}

const NAMING = /(?:^|\/)(?:package\.json|[tj]sconfig(?:\.base)?\.json|go\.mod|pyproject\.toml|setup\.(?:py|cfg))$/;

type ManifestFields = Readonly<Record<string, unknown>>;
type ParsedManifest = { readonly path: string; readonly text: string };

export function readOwnPackages(manifests: readonly ParsedManifest[]): OwnPackages {
  const read = manifests.map(({ path, text }) => ({ path, text, folder: path.replace(/[^/]*$/, "") }));
  const packages = read.filter(({ path }) => !/[tj]sconfig/.test(path));
  const needed = new Set(
    packages.filter(({ path }) => path.endsWith(".json")).flatMap(({ text }) => listDependencies(text)),
  );
  const isApart = ({ path, text, folder }: (typeof read)[number]) =>
    folder !== "" && !needed.has(getOwnName(path, text) ?? "");
  const names = read.flatMap(({ path, text, folder }) => {
    if (path.endsWith("package.json")) return listNodeNames(parse(text), folder);
    if (path.endsWith(".json")) return listAliases(parseFields(parse(text)["compilerOptions"]), folder);
    if (path.endsWith("go.mod")) return goNames(text, folder);
    return [];
  });
  const python = packages.filter(({ path, folder }) => folder !== "" && /\.(?:toml|py|cfg)$/.test(path));
  return {
    names: [...names, ...python.map(({ folder }) => ({ name: "", folder, entries: [] }))],
    apart: packages.filter((each) => each.path.endsWith("package.json") && isApart(each)).map(({ folder }) => folder),
    folders: [...new Set(packages.map(({ folder }) => folder))],
    nicknamed: collectNicknames(names),
    modules: new Set(
      packages.map(({ path, text }) => (getOwnName(path, text) ?? "").toLowerCase().replaceAll(/[-.]/g, "_")),
    ),
  };
}

function collectNicknames(names: readonly OwnName[]): ReadonlySet<string> {
  const entries = (isNick: boolean) =>
    names.filter(({ name }) => name.startsWith("#") === isNick).flatMap((each) => each.entries);
  const ours = new Set(entries(false));
  return new Set(entries(true).filter((path) => !ours.has(path)));
}

/** Returns whether the file only has an internal name in a manifest. */
export function isNicknamed(path: string, { nicknamed }: OwnPackages): boolean {
  return nicknamed.has(bare(path));
}

/** Lists the words that a line needs to import the file by its package name. */
export function listOwnWords(path: string, { names }: OwnPackages): readonly string[] {
  const place = path.endsWith(".go") ? getPackageFolder(path) : bare(path);
  return names.flatMap(({ name, folder, entries }) => {
    if (name === "") return [];
    if (entries.includes(place) || `${place}/` === folder) return [name];
    if (!place.startsWith(folder)) return [];
    const rest = place.slice(folder.length);
    return [...new Set([rest, rest.replace(/^(?:src|lib)\//, "")])].map((each) => `${name}/${each}`);
  });
}

type NameMention = { readonly said: string; readonly path: string };

/** Returns whether a quoted name refers to the file by its package name. */
export function isOwnName({ said, path }: NameMention, { names }: OwnPackages): boolean {
  return names.some(({ name, folder, entries }) => {
    if (name === "" || !(said === name || said.startsWith(`${name}/`))) return false;
    if (path.endsWith(".go"))
      return `${folder}${said.slice(name.length + 1)}`.replace(/\/$/, "") === getPackageFolder(path);
    if (said === name) return entries.includes(bare(path));
    const rest = bare(said.slice(name.length + 1));
    return [rest, `src/${rest}`, `lib/${rest}`].some((each) => bare(path) === `${folder}${each}`);
  });
}

/** Returns whether a Python module refers to the file in the folder of another package of the repository. */
export function isOwnModule({ said, path }: NameMention, { names }: OwnPackages): boolean {
  const python = names.filter(({ name }) => name === "");
  return python.some(({ folder }) => [said, `src/${said}`].some((each) => bare(path) === `${folder}${each}`));
}

function listNodeNames(fields: ManifestFields, folder: string): readonly OwnName[] {
  const { name } = fields;
  const targets = ["main", "module", "browser", "types", "exports"].flatMap((key) => listLeafValues(fields[key]));
  // Build output is located elsewhere than its sources.
  const entries = [...targets, "index", "src/index", "lib/index"].map((target) => within(folder, target));
  const own = typeof name === "string" && name !== "" ? [{ name, folder, entries }] : [];
  const inner = Object.entries(parseFields(fields["imports"])).flatMap(([key, value]) =>
    toAlias(key, listLeafValues(value), folder),
  );
  return [...own, ...inner];
}

/** Reads `paths` of a TypeScript project. */
function listAliases(options: ManifestFields, folder: string): readonly OwnName[] {
  const base = typeof options["baseUrl"] === "string" ? within(folder, `${options["baseUrl"]}/`) : folder;
  return Object.entries(parseFields(options["paths"])).flatMap(([key, value]) =>
    toAlias(key, listLeafValues(value), base),
  );
}

function toAlias(key: string, targets: readonly string[], folder: string): readonly OwnName[] {
  if (!key.includes("*"))
    return [{ name: key, folder: "\n", entries: targets.map((target) => within(folder, target)) }];
  if (!key.endsWith("/*")) return [];
  const homes = targets.filter((target) => target.endsWith("/*")).map((target) => target.slice(0, -1));
  return homes.map((target) => ({ name: key.slice(0, -2), folder: within(folder, target), entries: [] }));
}

/** Lists the module, and those that are taken from folders. */
function goNames(text: string, folder: string): readonly OwnName[] {
  const [, own] = /^module\s+(\S+)/m.exec(text) ?? [];
  const replaced = [...text.matchAll(/^(?:\s*replace)?\s+(\S+)(?:\s+v\S+)?\s+=>\s+(\.\.?\/\S*)\s*$/gm)];
  const single = [...text.matchAll(/^replace\s+(\S+)(?:\s+v\S+)?\s+=>\s+(\.\.?\/\S*)\s*$/gm)];
  const folders = [...replaced, ...single].map(([, name = "", place = ""]) => ({
    name,
    folder: within(folder, `${place}/`),
    entries: [],
  }));
  return [...(own === undefined ? [] : [{ name: own, folder, entries: [] }]), ...folders];
}

/** Lists packages that the product requires at run time. */
function listDependencies(text: string): readonly string[] {
  const fields = parse(text);
  return ["dependencies", "peerDependencies", "optionalDependencies"].flatMap((key) =>
    Object.keys(parseFields(fields[key])),
  );
}

function listLeafValues(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(listLeafValues);
  return Object.values(parseFields(value)).flatMap(listLeafValues);
}

/** Resolves a path to the top, without extension unless it is a folder. */
function within(folder: string, target: string): string {
  const parts = folder.split("/").filter((part) => part !== "");
  for (const part of target.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "." && part !== "") parts.push(part);
  }
  const path = parts.join("/");
  return target.endsWith("/") ? (path === "" ? "" : `${path}/`) : bare(path);
}

function bare(path: string): string {
  return path.replace(/(?:\.d)?\.(?:[cm]?[jt]sx?|py)$/, "").replace(/\/(?:index|__init__)$/, "");
}

function getPackageFolder(path: string): string {
  return path.split("/").slice(0, -1).join("/");
}

function parse(text: string): ManifestFields {
  try {
    return parseFields(JSON.parse(text));
  } catch {
    return {};
  }
}

function parseFields(value: unknown): ManifestFields {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as ManifestFields) : {};
}
