import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { stringify } from "yaml";
import { DEMO_AGENTS } from "./agents.ts";
import { GREET } from "./demo-files.ts";

export type DemoProject = { readonly home: string; readonly repo: string; readonly env: NodeJS.ProcessEnv };

/** Path as used by the demo's commands, relative to the repository. */
export const AGENTS_FILE = "../agents.yaml";

/** Contents of a demo: repository files and scripted agents. */
export type DemoSource = {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  readonly agents: readonly unknown[];
};

const FILES: DemoSource["files"] = {
  "package.json": '{ "name": "greeter", "type": "module", "private": true }\n',
  "README.md": "# greeter\n\nSays hello.\n",
  "src/greet.js": GREET.code,
  "test/greet.test.js": GREET.test,
  ".signalbox/config.yaml": `commands:
  test: node --stack-trace-limit=0 --test
  syntax: for file in src/*.js; do node --check "$file" || exit 1; done
`,
};

const GREETER: DemoSource = { name: "greeter", files: FILES, agents: DEMO_AGENTS };

/** Creates a small repository with real code and real checks in a temporary folder. */
export function makeDemoProject({ name, files, agents }: DemoSource = GREETER): DemoProject {
  const home = mkdtempSync(join(tmpdir(), "signalbox-demo-"));
  const repo = join(home, name);
  const env = createEnvironment(home);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(repo, path)), { recursive: true });
    writeFileSync(join(repo, path), text);
  }
  const runGit = (...args: string[]) => execFileSync("git", ["-C", repo, ...args], { stdio: "ignore", env });
  runGit("init", "-b", "main");
  runGit("add", ".");
  runGit("-c", "user.name=Demo", "-c", "user.email=demo@localhost", "commit", "-m", "Begin");
  writeFileSync(join(repo, AGENTS_FILE), stringify({ agents }, { lineWidth: 0 }));
  return { home, repo, env };
}

/** Environment that keeps the demo out of the user's folders and ignores the user's settings. */
function createEnvironment(home: string): NodeJS.ProcessEnv {
  const theirs = Object.entries(process.env).filter(
    ([name]) => name === "SIGNALBOX_COOKIE" || !/^(?:SIGNALBOX|GIT)_/.test(name),
  );
  return {
    ...Object.fromEntries(theirs),
    // The repository's checks use the Node that runs this process.
    PATH: `${dirname(process.execPath)}:${process.env["PATH"] ?? ""}`,
    XDG_CACHE_HOME: join(home, "cache"),
    XDG_STATE_HOME: join(home, "state"),
    XDG_CONFIG_HOME: join(home, "config"),
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_NOSYSTEM: "1",
    SIGNALBOX_TRUST: "1",
    // A sandbox would end its agents with the engine, but the demo needs one to outlive it.
    SIGNALBOX_SANDBOX: "off",
  };
}
