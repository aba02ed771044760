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

const FILES: Readonly<Record<string, string>> = {
  "package.json": '{ "name": "greeter", "type": "module", "private": true }\n',
  "README.md": "# greeter\n\nSays hello.\n",
  "src/greet.js": GREET.code,
  "test/greet.test.js": GREET.test,
  ".signalbox/config.yaml": `commands:
  test: node --stack-trace-limit=0 --test
  syntax: for file in src/*.js; do node --check "$file" || exit 1; done
`,
};

/** A small repository with real code and real checks, in a folder of its own. */
export function makeDemoProject(): DemoProject {
  const home = mkdtempSync(join(tmpdir(), "signalbox-demo-"));
  const repo = join(home, "greeter");
  const env = environment(home);
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(repo, path)), { recursive: true });
    writeFileSync(join(repo, path), text);
  }
  const git = (...args: string[]) => execFileSync("git", ["-C", repo, ...args], { stdio: "ignore", env });
  git("init", "-b", "main");
  git("add", ".");
  git("-c", "user.name=Demo", "-c", "user.email=demo@localhost", "commit", "-m", "Say hello");
  writeFileSync(join(repo, AGENTS_FILE), stringify({ agents: DEMO_AGENTS }, { lineWidth: 0 }));
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
