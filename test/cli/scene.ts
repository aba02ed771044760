import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterAll } from "vitest";
import { BIN } from "../support/program.ts";

const FIXTURE = fileURLToPath(new URL("./fixtures/small.ts", import.meta.url));

export type Event = Readonly<Record<string, unknown>> & { readonly type: string };
export type CommandEnd = {
  readonly exit: number;
  readonly out: string;
  readonly err: string;
  readonly events: readonly Event[];
};
export type Talk = {
  readonly ended: Promise<CommandEnd>;
  heard(type: string): Promise<Event>;
  kill(signal: NodeJS.Signals): void;
};

export type Scene = {
  readonly repo: string;
  readonly agents: string;
  readonly env: NodeJS.ProcessEnv;
  /** Runs the program to its end. */
  signalbox(...args: readonly string[]): Promise<CommandEnd>;
  /** Starts the program, to be watched and signaled. */
  start(...args: readonly string[]): Talk;
  /** Runs the program from another folder or with more environment variables. */
  from(where: Where, ...args: readonly string[]): Promise<CommandEnd>;
  git(...args: readonly string[]): string;
  put(path: string, text: string): string;
};

export type Where = {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Overrides the program that `test/support/program.ts` selects. */
  readonly program?: string;
};

const WRITER = `agents:
  - role: writer
    do: [{ write: { path: a.txt, content: "written\\n" } }]
    output: { summary: write a file }
`;

// A cleanup hook can only be registered while a file is loaded, and scenes are also created inside tests.
const homes: string[] = [];
afterAll(() => {
  for (const home of homes) rmSync(home, { recursive: true, force: true });
});

/** A repository with its own pipeline and a script for its one agent, trusted unless a test says otherwise. */
export function makeScene(options: { readonly env?: Readonly<Record<string, string>> } = {}): Scene {
  const home = mkdtempSync(join(tmpdir(), "signalbox-cli-"));
  homes.push(home);
  const repo = join(home, "repo");
  mkdirSync(join(repo, ".signalbox/pipelines"), { recursive: true });
  cpSync(FIXTURE, join(repo, ".signalbox/pipelines/small.ts"));
  const put = (path: string, text: string): string => {
    const file = join(repo, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  };
  const git = (...args: readonly string[]): string =>
    execFileSync("git", ["-C", repo, "-c", "user.name=T", "-c", "user.email=t@localhost", ...args], {
      encoding: "utf8",
    });
  put("README.md", "# here\n");
  git("init", "-q", "-b", "main");
  git("add", ".");
  git("commit", "-qm", "first");
  const agents = join(home, "agents.yaml");
  writeFileSync(agents, WRITER);
  // The scene is a person's terminal, even if an agent runs these tests.
  const marks = {
    SIGNALBOX_COOKIE: "",
    SIGNALBOX_RUN: "",
    SIGNALBOX_ROLE: "",
    CLAUDECODE: "",
    CODEX_SANDBOX: "",
    GEMINI_CLI: "",
    CURSOR_AGENT: "",
    OPENCODE: "",
  };
  const env = {
    ...process.env,
    ...marks,
    XDG_CACHE_HOME: join(home, "cache"),
    XDG_STATE_HOME: join(home, "state"),
    XDG_CONFIG_HOME: join(home, "config"),
    SIGNALBOX_TRUST: "1",
    // The repository has no checks; other tests cover how a run handles that.
    SIGNALBOX_NO_CHECKS: "nothing is checked here",
    NO_COLOR: "1",
    ...options.env,
  };
  const start = (...args: readonly string[]): Talk => startTalk(["-C", repo, ...args], { env });
  const from: Scene["from"] = (where, ...args) =>
    startTalk(["-C", repo, ...args], { ...where, env: { ...env, ...where.env } }).ended;
  return { repo, agents, env, git, put, start, from, signalbox: (...args) => start(...args).ended };
}

type TalkOptions = Omit<Where, "env"> & { readonly env: NodeJS.ProcessEnv };

function startTalk(args: readonly string[], { env, cwd = process.cwd(), program = BIN }: TalkOptions): Talk {
  const child = spawn(process.execPath, [program, ...args], { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  const events: Event[] = [];
  const waiting: { type: string; resolve: (event: Event) => void }[] = [];
  let [out, err] = ["", ""];
  const lines = createInterface({ input: child.stdout });
  lines.on("line", (line) => {
    out += `${line}\n`;
    const event = parseEvent(line);
    if (!event) return;
    events.push(event);
    for (const each of waiting) if (each.type === event.type) each.resolve(event);
  });
  child.stderr.on("data", (chunk) => {
    err += String(chunk);
  });
  const read = new Promise<void>((resolve) => lines.once("close", resolve));
  const exited = new Promise<number>((resolve) => child.once("close", (code) => resolve(code ?? -1)));
  return {
    ended: Promise.all([exited, read]).then(([exit]) => ({ exit, out, err, events })),
    heard: (type) => {
      const past = events.find((event) => event.type === type);
      return past ? Promise.resolve(past) : new Promise((resolve) => waiting.push({ type, resolve }));
    },
    kill: (signal) => void child.kill(signal),
  };
}

/** Undefined for plain text, and for a line of a multi-line document. */
function parseEvent(line: string): Event | undefined {
  try {
    return line.startsWith("{") ? (JSON.parse(line) as Event) : undefined;
  } catch {
    return undefined;
  }
}

export function lastEvent(ended: CommandEnd): Event {
  const last = ended.events.at(-1);
  if (!last) throw new Error(`no event; exit ${ended.exit}\n${ended.out}${ended.err}`);
  return last;
}
