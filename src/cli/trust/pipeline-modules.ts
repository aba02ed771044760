import { readFileSync, realpathSync } from "node:fs";
import { registerHooks } from "node:module";
import { extname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { SignalboxError } from "../../core/failure/errors.ts";
import { sha256 } from "../../node/digest.ts";

/** A folder whose modules run here after a yes. */
export type TrustedFolder = {
  readonly folder: string;
  /** As people write it: `.signalbox/pipelines`. */
  readonly name: string;
  readonly code: "PIPELINE_INVALID" | "DRIVER_INVALID";
};

/** The hash of every file that the yes was given to, by its absolute path. */
export type Prints = ReadonlyMap<string, string>;

/**
 * From now on the modules of these folders load what the yes was given to, byte by byte, and nothing else, however they
 * ask for it and whenever. `signalbox` and `zod` are lent: the repository may have installed neither.
 */
export function guardModules(folders: readonly TrustedFolder[], prints: Prints): void {
  const places = folders.map((folder) => ({ folder, place: pathToFileURL(`${folder.folder}/`).href }));
  const around = (url: string | undefined): TrustedFolder | undefined =>
    places.find(({ place }) => url?.startsWith(place))?.folder;
  const isInside = (url: string | undefined): boolean => around(url) !== undefined;
  registerHooks({
    resolve(specifier, context, next) {
      const from = context.parentURL;
      const lent = isInside(from) && !isInstalled(from) ? LENT[specifier] : undefined;
      if (lent !== undefined) return { url: lent, shortCircuit: true };
      const found = next(specifier, context);
      if (isInside(found.url)) return isInstalled(found.url) ? found : { ...found, format: formatOf(found.url) };
      refuse({ specifier, from, url: found.url, by: around(from) });
      return found;
    },
    load(url, context, next) {
      const loaded = next(url, context);
      const folder = around(url);
      if (folder) requireSame({ folder, path: fileURLToPath(url), source: loaded.source, prints });
      return loaded;
    },
  });
}

/** A link's content may be what the yes covers; what it imports from its real place is not. */
export function requireNoLink({ folder, name, code }: TrustedFolder, file: string): void {
  const path = join(folder, file);
  const real = realpathSync(path);
  if (real === path) return;
  throw new SignalboxError(
    code,
    `${name}/${file} is a link that leads to ${real}.`,
    `Put the file itself there: only what lies in ${name} is covered by a person's yes.`,
  );
}

export function printOf(bytes: string | NodeJS.ArrayBufferView): string {
  return sha256(bytes);
}

const LENT: Record<string, string> = {
  // The ending that we have ourselves: sources as they are, or built.
  signalbox: new URL(`../../index${extname(import.meta.url)}`, import.meta.url).href,
  "signalbox/authoring": new URL(`../../authoring${extname(import.meta.url)}`, import.meta.url).href,
  "signalbox/driver": new URL(`../../driver${extname(import.meta.url)}`, import.meta.url).href,
  zod: import.meta.resolve("zod"),
};

/** They start or load code past these rules. Pipelines and drivers have the engine for that, which confines and records it. */
const STARTERS: ReadonlySet<string> = new Set(
  ["child_process", "cluster", "inspector", "module", "repl", "vm", "wasi", "worker_threads"].map(
    (name) => `node:${name}`,
  ),
);

const OUR_PLACE = new URL("../../../", import.meta.url).href;

function isOurs(url: string | undefined): boolean {
  return url !== undefined && (url.startsWith(OUR_PLACE) || isInstalled(url));
}

function isInstalled(url: string | undefined): boolean {
  return url?.startsWith("file:") === true && url.includes("/node_modules/");
}

/** They are modules, whatever the repository's package.json says of its own files. */
function formatOf(url: string): string {
  return /\.m?ts$/.test(url) ? "module-typescript" : /\.m?js$/.test(url) ? "module" : "json";
}

type Source = string | ArrayBuffer | NodeJS.TypedArray | null | undefined;

type Loaded = {
  readonly folder: TrustedFolder;
  readonly path: string;
  readonly source: Source;
  readonly prints: Prints;
};

function requireSame({ folder, path, source, prints }: Loaded): void {
  // What is loaded in some other way than by its text has the text that is there now.
  const bytes = source instanceof ArrayBuffer ? new Uint8Array(source) : (source ?? readFileSync(path));
  if (prints.get(path) === printOf(bytes)) return;
  throw new SignalboxError(
    folder.code,
    `${path} is no longer what the yes was given to.`,
    "It changed in this very moment. Try again: you are asked for what is there now.",
  );
}

type Import = {
  readonly specifier: string;
  readonly from: string | undefined;
  readonly url: string;
  /** Where the file lies that asks, if the yes was given to it. */
  readonly by: TrustedFolder | undefined;
};

/** Our own parts are loaded when they are needed, which may be after this. */
function refuse(asked: Import): void {
  const { url, from, by } = asked;
  if (url.startsWith("node:")) {
    if (by && STARTERS.has(url)) throw starts(asked, by);
  } else if (by || !isOurs(from) || !isOurs(url)) {
    throw leaves(asked);
  }
}

function starts({ from, specifier }: Import, { code }: TrustedFolder): SignalboxError {
  const means = code === "DRIVER_INVALID" ? "`processes.start`" : "`check`, `agent` or a command of the configuration";
  return new SignalboxError(
    code,
    `${nameOf(from)} imports ${specifier}, with which it could run what no person said yes to.`,
    `Let the engine do it, with ${means}: it confines and records what it starts.`,
  );
}

function leaves({ from, specifier, url, by }: Import): SignalboxError {
  const { name: folder, code } = by ?? { name: ".signalbox/pipelines", code: "PIPELINE_INVALID" };
  const name = specifier.length > MOST_SHOWN ? `${specifier.slice(0, MOST_SHOWN)}…` : specifier;
  const where = url.startsWith("file:") ? `, which is ${fileURLToPath(url)} and` : ", which";
  const remedy = isInstalled(url)
    ? `Install the package there: npm install --prefix ${folder} <its name>`
    : `Move that file into ${folder}`;
  return new SignalboxError(
    code,
    `${nameOf(from)} imports ${name}${where} lies outside ${folder}.`,
    `${remedy}. Only what lies there is covered by a person's yes.`,
  );
}

const MOST_SHOWN = 80;

function nameOf(from: string | undefined): string {
  return from?.startsWith("file:") ? fileURLToPath(from) : "A pipeline";
}
