import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { z } from "zod";
import { detectCommands, isAsked } from "../../src/core/checks/detect/detect-commands.ts";
import type { Command, SetupCommand } from "../../src/core/journal/effect.ts";
import { git, textAt } from "./git.ts";

/** A repository whose history is played, and how its tests are started. */
export type Repository = {
  readonly name: string;
  readonly dir: string;
  readonly commands: readonly Command[];
  readonly setup?: SetupCommand;
  /** Only commits that touch these; without it all. */
  readonly paths?: readonly string[];
  /** Why nothing more of it is played. */
  readonly skip?: string;
};

const Told = z.strictObject({
  setup: z.string().optional(),
  lockFile: z.string().optional(),
  test: z.union([z.string(), z.array(z.string())]).optional(),
  paths: z.array(z.string()).optional(),
  skip: z.string().optional(),
});
type Told = z.infer<typeof Told>;

/** The git repositories of a folder; `corpus.json` beside them says what cannot be seen from their files. */
export function repositoriesIn(folder: string, only?: readonly string[]): readonly Repository[] {
  const corpus = resolve(folder);
  const file = join(corpus, "corpus.json");
  const told = existsSync(file) ? z.record(z.string(), Told).parse(JSON.parse(readFileSync(file, "utf8"))) : {};
  return readdirSync(corpus)
    .map((entry) => ({ name: entry.replace(/\.git$/, ""), dir: join(corpus, entry) }))
    .filter(({ name, dir }) => (only === undefined || only.includes(name)) && isRepository(dir))
    .map(({ name, dir }) => ({ name, dir, ...waysOf(dir, filled(told[name] ?? {}, corpus)) }));
}

/** What whoever played it decided on the way, one line each, in `notes.txt`: the page has to say it. */
export function notesIn(folder: string): readonly string[] {
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

/** `{corpus}` stands for the folder: what was installed beside the repositories can be linked from there. */
function filled(told: Told, corpus: string): Told {
  return Told.parse(JSON.parse(JSON.stringify(told).replaceAll("{corpus}", corpus)));
}

function waysOf(dir: string, { setup, lockFile, test, paths, skip }: Told): Omit<Repository, "name" | "dir"> {
  const found = test === undefined || setup === undefined ? detected(dir) : undefined;
  const lines = test === undefined ? undefined : [test].flat();
  const commands = lines
    ? lines.map((run, at) => ({ name: at === 0 ? "test" : `test-${at + 1}`, run }))
    : (found?.commands ?? []).filter(({ name }) => name.startsWith("test")).map(({ name, run }) => ({ name, run }));
  const own = setup === undefined ? found?.setup : { run: setup, ...(lockFile === undefined ? {} : { lockFile }) };
  return {
    commands,
    ...(own ? { setup: setupOf(own) } : {}),
    ...(paths ? { paths } : {}),
    ...(skip === undefined ? {} : { skip }),
  };
}

function setupOf({ run, lockFile }: SetupCommand): SetupCommand {
  return lockFile === undefined ? { run } : { run, lockFile };
}

function detected(dir: string) {
  const names = git(dir, "ls-tree", "--name-only", "HEAD").split("\n");
  const texts = names.filter(isAsked).map((path) => [path, textAt(dir, "HEAD", path)]);
  return detectCommands(new Map(texts as [string, string][]), names);
}
