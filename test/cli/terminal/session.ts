import { spawn, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import xterm from "@xterm/headless";
import { BIN } from "../../support/program.ts";

const PTY = fileURLToPath(new URL("./on-terminal.py", import.meta.url));

export const hasPty = spawnSync("python3", ["-c", "import pty, termios"]).status === 0;

export type Size = { readonly cols: number; readonly rows: number };

/** The program on a real terminal, and the screen that a person sees. */
export type Session = {
  readonly exited: Promise<number>;
  /** Every line from the first, with wrapped lines joined. */
  lines(): Promise<string[]>;
  /** Waits until a line on the screen matches. */
  sees(pattern: RegExp): Promise<void>;
  /** Waits until the program has written this text. */
  wrote(text: string): Promise<void>;
  press(keys: string): void;
  signal(name: string): void;
  resize(size: Size): Promise<void>;
  /** All bytes written so far. */
  bytes(): string;
};

type SessionOptions = {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
} & Size;

export function openSession({ args, cwd, env, cols, rows }: SessionOptions): Session {
  const terminal = new xterm.Terminal({ cols, rows, scrollback: 10_000, allowProposedApi: true });
  const { NO_COLOR: _colour, ...rest } = env;
  const child = spawn("python3", [PTY, String(cols), String(rows), process.execPath, BIN, ...args], {
    cwd,
    // The variables of an editor's terminal that uses the same library as this one.
    env: { ...rest, TERM: "xterm-256color", TERM_PROGRAM: "vscode", PAGER: "cat" },
    stdio: ["pipe", "pipe", "inherit"],
  });
  let bytes = "";
  const watchers = new Set<() => void>();
  child.stdout.on("data", (chunk: Buffer) => {
    bytes += chunk.toString("utf8");
    terminal.write(chunk, () => {
      for (const look of watchers) look();
    });
  });
  const exited = new Promise<number>((resolve) => child.once("close", (code) => resolve(code ?? -1)));
  const order = (what: object): void => void child.stdin.write(`${JSON.stringify(what)}\n`);
  const settled = () => new Promise<void>((resolve) => terminal.write("", resolve));
  const screen = (): string[] => joinWrappedLines(terminal).slice(-terminal.rows);
  const until = (holds: () => boolean, what: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (!holds()) return;
        watchers.delete(look);
        resolve();
      };
      watchers.add(look);
      look();
      void exited.then(() => reject(new Error(`${what} never came:\n${screen().join("\n")}`)));
    });
  return {
    exited,
    bytes: () => bytes,
    press: (keys) => order({ keys }),
    signal: (name) => order({ signal: name }),
    lines: async () => {
      await settled();
      return joinWrappedLines(terminal);
    },
    sees: (pattern) => until(() => screen().some((line) => pattern.test(line)), String(pattern)),
    wrote: (text) => until(() => bytes.includes(text), JSON.stringify(text)),
    resize: async ({ cols: width, rows: height }) => {
      await settled();
      terminal.resize(width, height);
      order({ size: [width, height] });
    },
  };
}

const readLine = (terminal: xterm.Terminal, at: number): string =>
  terminal.buffer.active.getLine(at)?.translateToString(true) ?? "";

function joinWrappedLines(terminal: xterm.Terminal): string[] {
  const { active } = terminal.buffer;
  const lines: string[] = [];
  for (let at = 0; at < active.length; at += 1) {
    const text = readLine(terminal, at);
    if (active.getLine(at)?.isWrapped) lines[lines.length - 1] += text;
    else lines.push(text);
  }
  return lines.slice(0, lines.findLastIndex((line) => line !== "") + 1);
}
