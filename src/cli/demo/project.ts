import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { stringify } from "yaml";
import { DEMO_AGENTS } from "./agents.ts";
import { GREET } from "./code.ts";

export type DemoProject = { readonly home: string; readonly repo: string; readonly env: NodeJS.ProcessEnv };

/** As the commands of the demo name it, from inside the repository. */
export const AGENTS_FILE = "../agents.yaml";

/** What a demo is made of. */
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

/** A small repository with real code and real checks, in a folder of its own. */
export function makeDemoProject({ name, files, agents }: DemoSource = GREETER): DemoProject {
  const home = mkdtempSync(join(tmpdir(), "signalbox-demo-"));
  const repo = join(home, name);
  const env = environment(home);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(repo, path)), { recursive: true });
    writeFileSync(join(repo, path), text);
  }
  const git = (...args: string[]) => execFileSync("git", ["-C", repo, ...args], { stdio: "ignore", env });
  git("init", "-b", "main");
  git("add", ".");
  git("-c", "user.name=Demo", "-c", "user.email=demo@localhost", "commit", "-m", "Begin");
  writeFileSync(join(repo, AGENTS_FILE), stringify({ agents }, { lineWidth: 0 }));
  return { home, repo, env };
}

/** Nothing of the demo stays in the user's folders, and none of their settings plays in it. */
function environment(home: string): NodeJS.ProcessEnv {
  const theirs = Object.entries(process.env).filter(
    ([name]) => name === "SIGNALBOX_COOKIE" || !/^(?:SIGNALBOX|GIT)_/.test(name),
  );
  return {
    ...Object.fromEntries(theirs),
    // The checks of the repository are run by the Node that runs us.
    PATH: `${dirname(process.execPath)}:${process.env["PATH"] ?? ""}`,
    XDG_CACHE_HOME: join(home, "cache"),
    XDG_STATE_HOME: join(home, "state"),
    XDG_CONFIG_HOME: join(home, "config"),
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_NOSYSTEM: "1",
    SIGNALBOX_TRUST: "1",
    // A sandbox ends its agents with the engine; the story wants one of them to outlive it.
    SIGNALBOX_SANDBOX: "off",
  };
}
