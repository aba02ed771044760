import { existsSync } from "node:fs";
import { appendFile, readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { SignalboxError } from "../core/errors.ts";
import { askGit } from "./ask-git.ts";
import { makeFolder } from "./make-folder.ts";

/** Where signalbox keeps its things for one repository. */
export type RepositoryPlaces = {
  readonly top: string;
  readonly own: string;
  readonly database: string;
  readonly runs: string;
  readonly config: string;
  /** This person's own settings for this repository; git does not see it. */
  readonly localConfig: string;
  readonly pipelines: string;
  /** Dispatches that wait for somebody outside to take them. */
  readonly mailbox: string;
  readonly cache: string;
  /** Git's own list of what this clone ignores; shared by its worktrees. */
  readonly exclude: string;
};

export async function placesOf(dir: string): Promise<RepositoryPlaces> {
  const asked = resolve(dir);
  const [top = "", exclude = ""] = await revParse(asked, ["--show-toplevel", "--git-path", "info/exclude"]);
  const own = join(top, ".signalbox");
  return {
    top,
    own,
    database: join(own, "signalbox.db"),
    runs: join(own, "runs"),
    config: join(own, "config.yaml"),
    localConfig: join(own, "config.local.yaml"),
    pipelines: join(own, "pipelines"),
    mailbox: join(own, "mailbox"),
    cache: join(process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "signalbox"),
    exclude: resolve(asked, exclude),
  };
}

const EXCLUDED = ["/.signalbox/*", "!/.signalbox/config.yaml", "!/.signalbox/pipelines/"];

/** Makes the folder, and keeps git from seeing what is not the team's. */
export async function settle(places: RepositoryPlaces, excludes: readonly string[] = []): Promise<void> {
  await makeFolder(places.own);
  await makeFolder(places.cache, 0o700);
  const text = existsSync(places.exclude) ? await readFile(places.exclude, "utf8") : "";
  const missing = [...EXCLUDED, ...excludes].filter((line) => !text.split("\n").includes(line));
  if (missing.length === 0) return;
  await makeFolder(dirname(places.exclude));
  const gap = text === "" || text.endsWith("\n") ? "" : "\n";
  await appendFile(places.exclude, `${gap}${missing.join("\n")}\n`);
}

/** What git lists for a question that only reads; entries end with NUL. */
export async function gitLines(top: string, args: readonly string[]): Promise<string[]> {
  const said = await askGit(top, args);
  if ("out" in said) return said.out.split("\0").filter(Boolean);
  throw new SignalboxError("GIT_FAILED", `git ${args[0]} failed in ${top}: ${said.refused}`, "See `git status`.");
}

async function revParse(dir: string, args: readonly string[]): Promise<string[]> {
  if (!existsSync(dir)) throw notARepository(dir, "no such directory");
  const said = await askGit(dir, ["rev-parse", ...args]);
  if ("out" in said) return said.out.trimEnd().split("\n");
  throw notARepository(dir, said.refused);
}

function notARepository(dir: string, why: string): SignalboxError {
  return new SignalboxError(
    "NOT_A_REPOSITORY",
    `${dir} is not a git repository with a checkout: ${why}`,
    "Change to the repository, name it with -C, or make one: git init && git add . && git commit",
  );
}
