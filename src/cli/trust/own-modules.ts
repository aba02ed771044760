import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { SignalboxError } from "../../core/failure/errors.ts";
import { readThroughLinks } from "../../node/checkout-file.ts";
import type { RepositoryPlaces } from "../project/repository.ts";
import { requireNoLink, type TrustedFolder } from "./guard-modules.ts";

/** Folders of a repository whose modules are executed. */
export function getOwnFolders({ pipelines, drivers }: Pick<RepositoryPlaces, "pipelines" | "drivers">) {
  return {
    pipelines: { folder: pipelines, name: ".signalbox/pipelines", code: "PIPELINE_INVALID" },
    drivers: { folder: drivers, name: ".signalbox/drivers", code: "DRIVER_INVALID" },
  } as const satisfies Record<string, TrustedFolder>;
}

export async function listModuleFiles(folder: string): Promise<readonly string[]> {
  if (!existsSync(folder)) return [];
  const entries = await readdir(folder, { withFileTypes: true });
  // A link is rejected by name later; any other non-file would only block.
  const names = entries.filter((entry) => entry.isFile() || entry.isSymbolicLink()).map(({ name }) => name);
  return names.filter((name) => /\.(ts|mts|js|mjs)$/.test(name) && !name.endsWith(".d.ts")).sort();
}

export type OwnModule = { readonly file: string; readonly text: string; readonly exports: readonly unknown[] };

/** A file that cannot be used. Requests for other files still work. */
export type BrokenFile = {
  /** Display path, e.g. `.signalbox/pipelines/mine.ts`. */
  readonly path: string;
  readonly error: SignalboxError;
  /** Names that it may define, judged by its file name and text. Nothing else replaces them. */
  readonly names: ReadonlySet<string>;
};

export type OwnModules<Item> = { readonly all: readonly Item[]; readonly broken: readonly BrokenFile[] };

/** Executes the files, which `guardModules` restricts to trusted content. Call it only for a trusted repository. */
export async function loadModules<Item>(
  trusted: TrustedFolder,
  files: readonly string[],
  read: (module: OwnModule) => readonly Item[],
): Promise<OwnModules<Item>> {
  const all: Item[] = [];
  const broken: BrokenFile[] = [];
  for (const file of files) {
    const source = readThroughLinks(join(trusted.folder, file));
    const text = source.ok ? source.text : "";
    // A file that reaches beyond the trusted content stops every command: it is not a mistake in one file.
    requireNoLink(trusted, file);
    try {
      requireReadablePackages(trusted);
      all.push(...read({ file, text, exports: [...new Set(Object.values(await importModule(trusted, file)))] }));
    } catch (error) {
      if (!(error instanceof SignalboxError) || error.message.includes(" imports ")) throw error;
      broken.push({ path: `${trusted.name}/${file}`, error, names: listPossibleNames(file, text) });
    }
  }
  return { all, broken };
}

/** Module loading reads the nearest package.json and would block on a FIFO of that name. */
function requireReadablePackages({ folder, code }: TrustedFolder): void {
  for (const around of [folder, join(folder, ".."), join(folder, "../..")]) {
    const path = join(around, "package.json");
    const read = readThroughLinks(path);
    if (read.ok || read.gone) continue;
    throw new SignalboxError(
      code,
      `${path} cannot be read: ${read.problem}.`,
      "Replace it with a regular file, or remove it.",
    );
  }
}

/** Returns the error of the broken file that may define this name. */
export function findFileError(name: string, broken: readonly BrokenFile[]): SignalboxError | undefined {
  return broken.find(({ names }) => names.has(name))?.error;
}

function listPossibleNames(file: string, text: string): ReadonlySet<string> {
  const declared = [...text.matchAll(/\bname:\s*["'`]([\w-]+)["'`]/g)].map(([, name = ""]) => name);
  return new Set([file.replace(/\.\w+$/, ""), ...declared]);
}

async function importModule({ folder, name, code }: TrustedFolder, file: string): Promise<Record<string, unknown>> {
  const path = join(folder, file);
  try {
    // Module exports are an object by definition.
    return (await import(pathToFileURL(path).href)) as Record<string, unknown>;
  } catch (cause) {
    if (cause instanceof SignalboxError) throw cause;
    const why = cause instanceof Error ? cause.message : String(cause);
    const where = `${name}/${file}${findErrorLine(cause, path)}`;
    throw new SignalboxError(code, `${where} cannot be loaded: ${why}`, "Fix the file and try again.", { cause });
  }
}

/** Returns the line in the file, if the error contains it. */
function findErrorLine(cause: unknown, path: string): string {
  const stack = cause instanceof Error ? (cause.stack ?? "") : "";
  const at = stack.indexOf(`${path}:`);
  const line = at < 0 ? undefined : /^\d+/.exec(stack.slice(at + path.length + 1))?.[0];
  return line === undefined ? "" : `:${line}`;
}
