import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { stringify } from "yaml";
import { DEMO_AGENTS } from "./agents.ts";

export type DemoProject = { readonly home: string; readonly repo: string; readonly agents: string };

const FILES: Readonly<Record<string, string>> = {
  "package.json": '{ "name": "greeter", "type": "module", "private": true }\n',
  "README.md": "# greeter\n\nSays hello.\n",
  "src/greet.js": 'export const greet = (name) => "Hello, " + name + "!";\n',
  "test/greet.test.js": `import assert from "node:assert/strict";
import { test } from "node:test";
import { greet } from "../src/greet.js";

test("greets by name", () => assert.equal(greet("Ada"), "Hello, Ada!"));
`,
  ".signalbox/config.yaml": `commands:
  test: node --test
  syntax: for file in src/*.js; do node --check "$file" || exit 1; done
`,
};

/** A small repository with real code and real checks, in a folder of its own. */
export function makeDemoProject(): DemoProject {
  const home = mkdtempSync(join(tmpdir(), "signalbox-demo-"));
  const repo = join(home, "greeter");
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(repo, path)), { recursive: true });
    writeFileSync(join(repo, path), text);
  }
  const git = (...args: string[]) => execFileSync("git", ["-C", repo, ...args], { stdio: "ignore" });
  git("init", "-b", "main");
  git("add", ".");
  git("-c", "user.name=Demo", "-c", "user.email=demo@localhost", "commit", "-m", "Say hello");
  const agents = join(home, "agents.yaml");
  writeFileSync(agents, stringify({ agents: DEMO_AGENTS }, { lineWidth: 0 }));
  return { home, repo, agents };
}
