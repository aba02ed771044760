import { createHash } from "node:crypto";
import { readFileSync, realpathSync } from "node:fs";
import { registerHooks } from "node:module";
import { extname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { SignalboxError } from "../core/errors.ts";

export type TrustedFolder = {
  readonly folder: string;
  /** The hash of every file that the yes was given to, by its absolute path. */
  readonly prints: ReadonlyMap<string, string>;
};

/**
 * From now on a pipeline loads what the yes was given to, byte by byte, and nothing else, however it asks for it and
 * whenever. `signalbox` and `zod` are lent: its repository may have installed neither.
 */
export function guardModules({ folder, prints }: TrustedFolder): void {
  const place = pathToFileURL(`${folder}/`).href;
  const isInside = (url: string | undefined): boolean => url?.startsWith(place) === true;
  registerHooks({
    resolve(specifier, context, next) {
      const from = context.parentURL;
      const lent = isInside(from) && !isInstalled(from) ? LENT[specifier] : undefined;
      if (lent !== undefined) return { url: lent, shortCircuit: true };
      const found = next(specifier, context);
      if (isInside(found.url)) return isInstalled(found.url) ? found : { ...found, format: formatOf(found.url) };
      refuse({ specifier, from, url: found.url, byPipeline: isInside(from) });
      return found;
    },
    load(url, context, next) {
      const loaded = next(url, context);
      if (isInside(url)) requireSame(fileURLToPath(url), loaded.source, prints);
      return loaded;
    },
  });
}

/** A link's content may be what the yes covers; what it imports from its real place is not. */
export function requireNoLink({ folder }: TrustedFolder, file: string): void {
  const path = join(folder, file);
  const real = realpathSync(path);
  if (real === path) return;
  throw new SignalboxError(
    "PIPELINE_INVALID",
    `.signalbox/pipelines/${file} is a link that leads to ${real}.`,
    "Put the file itself there: only what lies in .signalbox/pipelines is covered by a person's yes.",
  );
}

export function printOf(bytes: string | NodeJS.ArrayBufferView): string {
  return createHash("sha256").update(bytes).digest("hex");
}

const LENT: Record<string, string> = {
  // The ending that we have ourselves: sources as they are, or built.
  signalbox: new URL(`../index${extname(import.meta.url)}`, import.meta.url).href,
  zod: import.meta.resolve("zod"),
};

/** They start or load code past these rules. A pipeline has the engine for that, which confines and records it. */
const STARTERS: ReadonlySet<string> = new Set(
  ["child_process", "cluster", "inspector", "module", "repl", "vm", "wasi", "worker_threads"].map(
    (name) => `node:${name}`,
  ),
);

const OUR_PLACE = new URL("../../", import.meta.url).href;

function isOurs(url: string | undefined): boolean {
  return url !== undefined && (url.startsWith(OUR_PLACE) || isInstalled(url));
}

function isInstalled(url: string | undefined): boolean {
  return url?.startsWith("file:") === true && url.includes("/node_modules/");
}

/** Pipelines are modules, whatever the repository's package.json says of its own files. */
function formatOf(url: string): string {
  return /\.m?ts$/.test(url) ? "module-typescript" : /\.m?js$/.test(url) ? "module" : "json";
}

type Source = string | ArrayBuffer | NodeJS.TypedArray | null | undefined;

function requireSame(path: string, source: Source, prints: ReadonlyMap<string, string>): void {
  // What is loaded in some other way than by its text has the text that is there now.
  const bytes = source instanceof ArrayBuffer ? new Uint8Array(source) : (source ?? readFileSync(path));
  if (prints.get(path) === printOf(bytes)) return;
  throw new SignalboxError(
    "PIPELINE_INVALID",
    `${path} is no longer what the yes was given to.`,
    "It changed in this very moment. Try again: you are asked for what is there now.",
  );
}

type Import = {
  readonly specifier: string;
  readonly from: string | undefined;
  readonly url: string;
  /** By a file that the yes was given to. */
  readonly byPipeline: boolean;
};

/** Our own parts are loaded when they are needed, which may be after this. */
function refuse(asked: Import): void {
  const { url, from, byPipeline } = asked;
  if (url.startsWith("node:")) {
    if (byPipeline && STARTERS.has(url)) throw starts(asked);
  } else if (byPipeline || !isOurs(from) || !isOurs(url)) {
    throw leaves(asked);
  }
}

function starts({ from, specifier }: Import): SignalboxError {
  return new SignalboxError(
    "PIPELINE_INVALID",
    `${nameOf(from)} imports ${specifier}, with which it could run what no person said yes to.`,
    "Let the engine do it, with `check`, `agent` or a command of the configuration: it confines and records what it starts.",
  );
}

function leaves({ from, specifier, url }: Import): SignalboxError {
  const name = specifier.length > MOST_SHOWN ? `${specifier.slice(0, MOST_SHOWN)}…` : specifier;
  const where = url.startsWith("file:") ? `, which is ${fileURLToPath(url)} and` : ", which";
  const remedy = isInstalled(url)
    ? "Install the package there: npm install --prefix .signalbox/pipelines <its name>"
    : "Move that file into .signalbox/pipelines";
  return new SignalboxError(
    "PIPELINE_INVALID",
    `${nameOf(from)} imports ${name}${where} lies outside .signalbox/pipelines.`,
    `${remedy}. Only what lies there is covered by a person's yes.`,
  );
}

const MOST_SHOWN = 80;

function nameOf(from: string | undefined): string {
  return from?.startsWith("file:") ? fileURLToPath(from) : "A pipeline";
}
