import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { BIN } from "../support/program.ts";
import { PROGRAM_PATH } from "./program-path.ts";
import type { Files } from "./projects/project.ts";

/** Long enough for a busy machine. */
const LIMIT_MS = 900_000;

export type Event = Readonly<Record<string, unknown>> & { readonly type: string };
export type CommandEnd = {
  readonly exit: number;
  readonly timedOut: boolean;
  readonly events: readonly Event[];
  readonly out: string;
  readonly err: string;
};

export type TrialFolder = { readonly home: string; readonly repo: string; readonly env: NodeJS.ProcessEnv };

/** Creates an environment without settings of the machine's user, and nothing of it remains. */
export function placeIn(home: string): TrialFolder {
  const theirs = Object.entries(process.env).filter(
    ([name]) => !/^(?:SIGNALBOX|GIT|XDG|CLAUDE|CODEX|npm)_?/.test(name),
  );
  const env = {
    ...Object.fromEntries(theirs),
    PATH: PROGRAM_PATH,
    HOME: join(home, "home"),
    XDG_CACHE_HOME: join(home, "cache"),
    XDG_STATE_HOME: join(home, "state"),
    XDG_CONFIG_HOME: join(home, "config"),
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_NOSYSTEM: "1",
    NO_COLOR: "1",
  };
  mkdirSync(env.HOME, { recursive: true });
  return { home, repo: join(home, "repo"), env };
}

/** Creates a repository with these files in its first commit. */
export function repositoryOf(place: TrialFolder, files: Files): string {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(place.repo, path)), { recursive: true });
    writeFileSync(join(place.repo, path), text);
  }
  git(place, "init", "-q", "-b", "main");
  git(place, "add", "--all");
  git(place, "commit", "-qm", "Begin");
  return git(place, "rev-parse", "HEAD");
}

export function git({ repo, env }: TrialFolder, ...args: readonly string[]): string {
  const who = ["-c", "user.name=T", "-c", "user.email=t@localhost"];
  return execFileSync("git", ["-C", repo, ...who, ...args], { encoding: "utf8", env }).trim();
}

/** Runs the real program to its end. */
export function signalbox(args: readonly string[], env: NodeJS.ProcessEnv): Promise<CommandEnd> {
  const child = spawn(process.execPath, [BIN, ...args], { env, stdio: ["ignore", "pipe", "pipe"] });
  const events: Event[] = [];
  let [out, err, timedOut] = ["", "", false];
  const clock = setTimeout(() => {
    timedOut = true;
    child.kill("SIGTERM");
  }, LIMIT_MS);
  const lines = createInterface({ input: child.stdout });
  lines.on("line", (line) => {
    out += `${line}\n`;
    // A document with several lines is no event.
    if (line.startsWith('{"')) events.push(JSON.parse(line) as Event);
  });
  child.stderr.on("data", (chunk) => {
    err += String(chunk);
  });
  const read = new Promise<void>((resolve) => lines.once("close", resolve));
  const exited = new Promise<number>((resolve) => child.once("close", (code) => resolve(code ?? -1)));
  return Promise.all([exited, read]).then(([exit]) => {
    clearTimeout(clock);
    return { exit, timedOut, events, out, err };
  });
}
