import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { z } from "zod";
import { detectCommands, isAsked } from "../../src/core/checks/detect/detect-commands.ts";
import type { Command, SetupCommand } from "../../src/core/journal/effect.ts";
import { git, readTextAt } from "./git.ts";

/** A repository whose history is judged, and how its tests are started. */
export type Repository = {
  readonly name: string;
  readonly dir: string;
  readonly commands: readonly Command[];
  readonly setup?: SetupCommand;
  /** Selects commits that change one of these; undefined selects all. */
  readonly paths?: readonly string[];
  /** The reason why this repository is left out. */
  readonly skip?: string;
};

const RepositorySettings = z.strictObject({
  setup: z.string().optional(),
  lockFile: z.string().optional(),
  test: z.union([z.string(), z.array(z.string())]).optional(),
  paths: z.array(z.string()).optional(),
  skip: z.string().optional(),
});
type RepositorySettings = z.infer<typeof RepositorySettings>;

/** Lists the git repositories of a folder. `corpus.json` holds the settings that their files do not show. */
export function listRepositories(folder: string, only?: readonly string[]): readonly Repository[] {
  const corpus = resolve(folder);
  const file = join(corpus, "corpus.json");
  const told = existsSync(file)
    ? z.record(z.string(), RepositorySettings).parse(JSON.parse(readFileSync(file, "utf8")))
    : {};
  return readdirSync(corpus)
    .map((entry) => ({ name: entry.replace(/\.git$/, ""), dir: join(corpus, entry) }))
    .filter(({ name, dir }) => (only === undefined || only.includes(name)) && isRepository(dir))
    .map(({ name, dir }) => ({ name, dir, ...resolveCommands(dir, fillPlaceholders(told[name] ?? {}, corpus)) }));
}

/** Reads the decisions made during a run from `notes.txt`, one per line; the page lists them. */
export function readNotes(folder: string): readonly string[] {
  const file = join(resolve(folder), "notes.txt");
  return existsSync(file)
    ? readFileSync(file, "utf8")
        .split("\n")
        .filter((line) => line !== "")
    : [];
}

function isRepository(dir: string): boolean {
  return existsSync(join(dir, ".git")) || existsSync(join(dir, "HEAD"));
}

/** Replaces `{corpus}` by the folder, where installed packages can be linked from. */
function fillPlaceholders(told: RepositorySettings, corpus: string): RepositorySettings {
  return RepositorySettings.parse(JSON.parse(JSON.stringify(told).replaceAll("{corpus}", corpus)));
}

function resolveCommands(
  dir: string,
  { setup, lockFile, test, paths, skip }: RepositorySettings,
): Omit<Repository, "name" | "dir"> {
  const found = test === undefined || setup === undefined ? detectFromFiles(dir) : undefined;
  const lines = test === undefined ? undefined : [test].flat();
  const commands = lines
    ? lines.map((run, at) => ({ name: at === 0 ? "test" : `test-${at + 1}`, run }))
    : (found?.commands ?? []).filter(({ name }) => name.startsWith("test")).map(({ name, run }) => ({ name, run }));
  const own = setup === undefined ? found?.setup : { run: setup, ...(lockFile === undefined ? {} : { lockFile }) };
  return {
    commands,
    ...(own ? { setup: toSetup(own) } : {}),
    ...(paths ? { paths } : {}),
    ...(skip === undefined ? {} : { skip }),
  };
}

function toSetup({ run, lockFile }: SetupCommand): SetupCommand {
  return lockFile === undefined ? { run } : { run, lockFile };
}

function detectFromFiles(dir: string) {
  const names = git(dir, "ls-tree", "--name-only", "HEAD").split("\n");
  const texts = names.filter(isAsked).map((path) => [path, readTextAt(dir, "HEAD", path)]);
  return detectCommands(new Map(texts as [string, string][]), names);
}
