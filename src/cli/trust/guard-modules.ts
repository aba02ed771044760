import { readFileSync, realpathSync } from "node:fs";
import { registerHooks } from "node:module";
import { extname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { SignalboxError } from "../../core/failure/errors.ts";
import { sha256 } from "../../node/digest.ts";

/** A folder whose modules are executed once it is trusted. */
export type TrustedFolder = {
  readonly folder: string;
  /** Display path, e.g. `.signalbox/pipelines`. */
  readonly name: string;
  readonly code: "PIPELINE_INVALID" | "DRIVER_INVALID";
};

/** Hashes of the trusted files by absolute path. */
export type FileHashes = ReadonlyMap<string, string>;

/**
 * Restricts the modules in these folders to the trusted content, byte by byte, whenever and however they are imported.
 * `signalbox` and `zod` resolve to our own copies, because the repository may have installed neither.
 */
export function guardModules(folders: readonly TrustedFolder[], prints: FileHashes): void {
  const places = folders.map((folder) => ({ folder, place: pathToFileURL(`${folder.folder}/`).href }));
  const findFolder = (url: string | undefined): TrustedFolder | undefined =>
    places.find(({ place }) => url?.startsWith(place))?.folder;
  const isInside = (url: string | undefined): boolean => findFolder(url) !== undefined;
  registerHooks({
    resolve(specifier, context, next) {
      const from = context.parentURL;
      const lent = isInside(from) && !isInstalled(from) ? OWN_MODULES[specifier] : undefined;
      if (lent !== undefined) return { url: lent, shortCircuit: true };
      const found = next(specifier, context);
      if (isInside(found.url)) return isInstalled(found.url) ? found : { ...found, format: getModuleFormat(found.url) };
      checkImport({ specifier, from, url: found.url, by: findFolder(from) });
      return found;
    },
    load(url, context, next) {
      const loaded = next(url, context);
      const folder = findFolder(url);
      if (folder) requireTrustedSource({ folder, path: fileURLToPath(url), source: loaded.source, prints });
      return loaded;
    },
  });
}

/** Rejects links. Trust covers the content of a link, but not what the file imports from its real location. */
export function requireNoLink({ folder, name, code }: TrustedFolder, file: string): void {
  const path = join(folder, file);
  const real = realpathSync(path);
  if (real === path) return;
  throw new SignalboxError(
    code,
    `${name}/${file} is a link to ${real}.`,
    `Replace it with the file itself: trust covers only files in ${name}.`,
  );
}

export function hashBytes(bytes: string | NodeJS.ArrayBufferView): string {
  return sha256(bytes);
}

const OWN_MODULES: Record<string, string> = {
  // Uses our own file extension, for sources and for the build.
  signalbox: new URL(`../../index${extname(import.meta.url)}`, import.meta.url).href,
  "signalbox/authoring": new URL(`../../authoring${extname(import.meta.url)}`, import.meta.url).href,
  "signalbox/driver": new URL(`../../driver${extname(import.meta.url)}`, import.meta.url).href,
  zod: import.meta.resolve("zod"),
};

/**
 * Modules that start or load code past these restrictions. Pipelines and drivers use the engine for that, which
 * confines and records it.
 */
const STARTERS: ReadonlySet<string> = new Set(
  ["child_process", "cluster", "inspector", "module", "repl", "vm", "wasi", "worker_threads"].map(
    (name) => `node:${name}`,
  ),
);

const OUR_ROOT = new URL("../../../", import.meta.url).href;

function isOurs(url: string | undefined): boolean {
  return url !== undefined && (url.startsWith(OUR_ROOT) || isInstalled(url));
}

function isInstalled(url: string | undefined): boolean {
  return url?.startsWith("file:") === true && url.includes("/node_modules/");
}

/** These files are modules, whatever the repository's package.json declares. */
function getModuleFormat(url: string): string {
  return /\.m?ts$/.test(url) ? "module-typescript" : /\.m?js$/.test(url) ? "module" : "json";
}

type ModuleSource = string | ArrayBuffer | NodeJS.TypedArray | null | undefined;

type LoadedModule = {
  readonly folder: TrustedFolder;
  readonly path: string;
  readonly source: ModuleSource;
  readonly prints: FileHashes;
};

function requireTrustedSource({ folder, path, source, prints }: LoadedModule): void {
  // A module that is loaded without its text is checked against the current file.
  const bytes = source instanceof ArrayBuffer ? new Uint8Array(source) : (source ?? readFileSync(path));
  if (prints.get(path) === hashBytes(bytes)) return;
  throw new SignalboxError(
    folder.code,
    `${path} has changed since it was trusted.`,
    "It changed during this command. Try again; you are asked to trust the current content.",
  );
}

type ModuleImport = {
  readonly specifier: string;
  readonly from: string | undefined;
  readonly url: string;
  /** Folder of the importing file, if it is trusted. */
  readonly by: TrustedFolder | undefined;
};

/** Our own modules are loaded on demand, possibly after this hook was registered. */
function checkImport(asked: ModuleImport): void {
  const { url, from, by } = asked;
  if (url.startsWith("node:")) {
    if (by && STARTERS.has(url)) throw createStarterError(asked, by);
  } else if (by || !isOurs(from) || !isOurs(url)) {
    throw createOutsideError(asked);
  }
}

function createStarterError({ from, specifier }: ModuleImport, { code }: TrustedFolder): SignalboxError {
  const means = code === "DRIVER_INVALID" ? "`processes.start`" : "`check`, `agent` or a command of the configuration";
  return new SignalboxError(
    code,
    `${formatImporter(from)} imports ${specifier}, which could run code that no person has trusted.`,
    `Use ${means} instead: the engine confines and records what it starts.`,
  );
}

function createOutsideError({ from, specifier, url, by }: ModuleImport): SignalboxError {
  const { name: folder, code } = by ?? { name: ".signalbox/pipelines", code: "PIPELINE_INVALID" };
  const name = specifier.length > MAX_SPECIFIER ? `${specifier.slice(0, MAX_SPECIFIER)}…` : specifier;
  const where = url.startsWith("file:") ? `, which is ${fileURLToPath(url)} and` : ", which";
  const remedy = isInstalled(url)
    ? `Install the package there: npm install --prefix ${folder} <name>`
    : `Move that file into ${folder}`;
  return new SignalboxError(
    code,
    `${formatImporter(from)} imports ${name}${where} is outside ${folder}.`,
    `${remedy}. Trust covers only files in that folder.`,
  );
}

const MAX_SPECIFIER = 80;

function formatImporter(from: string | undefined): string {
  return from?.startsWith("file:") ? fileURLToPath(from) : "A pipeline";
}
