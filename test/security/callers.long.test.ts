import { execFileSync } from "node:child_process";
import { linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { program } from "../../src/cli/program.ts";
import { CALLER_RULES, getRequiredCaller } from "../../src/cli/trust/callers.ts";
import { createOpenSandbox, findSandbox, type Sandbox } from "../../src/processes/sandbox/sandbox.ts";
import { createSupervisor } from "../../src/processes/supervisor.ts";
import { testWorld } from "../../src/processes/test-world.suite.ts";
import { makeScene, type Scene } from "../cli/scene.ts";
import "../../src/cli/contents/start.ts";
import "../../src/cli/contents/watch.ts";
import "../../src/cli/contents/decide.ts";
import "../../src/cli/contents/control.ts";
import "../../src/cli/contents/inspect.ts";
import "../../src/cli/contents/sign.ts";
import "../../src/cli/contents/author.ts";
import { BIN } from "../support/program.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "signalbox-callers-")));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const PATH = [dirname(process.execPath), process.env["PATH"]].join(":");

/** An example call for every command that agents may not use. */
const CALLS: Readonly<Record<string, string>> = {
  init: "init --yes",
  demo: "demo",
  run: "run small x",
  approve: "approve q-1",
  reject: "reject q-1",
  resume: "resume --trust --budget 900",
  pause: "pause",
  stop: "stop r writer",
  cancel: "cancel",
  land: "land r",
  revert: "revert r",
  gc: "gc --yes",
  attest: "attest r --key nowhere",
  "pipelines new": "pipelines new mine",
  ui: "ui --no-open",
  migrate: "migrate --postgres postgres://nobody@127.0.0.1:1/team",
  worker: "worker --postgres postgres://nobody@127.0.0.1:1/team",
  __notices: "__notices",
};

type StepOptions = { readonly script: string; readonly sandbox?: Sandbox; readonly home?: string };

/** Returns the output of a process that the engine started for a run's step. */
async function runStep({
  script,
  sandbox = createOpenSandbox("switched off"),
  home = root,
}: StepOptions): Promise<string> {
  const id = testWorld.newId();
  const started = await createSupervisor({ world: testWorld, sandbox }).start({
    command: "sh",
    args: ["-c", script],
    cwd: root,
    env: { PATH, HOME: home, TMPDIR: home },
    spool: join(root, "spools", id),
    cookie: `20261116-abc/1 Build@${id}`,
    sandboxRules: { writable: [root], hidden: [], readOnly: [], network: "all" },
  });
  return (await started.exited).stdoutTail;
}

/** Removes the step's variables from the environment. */
const clearEnvironment = ({ repo }: Scene, call: string): string =>
  `env -i PATH="$PATH" HOME=/nowhere XDG_STATE_HOME=${root}/state "${process.execPath}" "${BIN}" -C ${repo} --json ${call}`;
/** Runs the command after its parents exited, so that its parent is the first process of the system. */
const orphanCommand = (line: string, how = ""): string => `mkfifo f; ( ${how} ${line} > f 2>&1 & ); cat f; rm f`;

describe("the permissions of a command", () => {
  test("are declared for every command of the program, and for no other", () => {
    const names = program.commands.flatMap((command) =>
      command.commands.length === 0
        ? [command.name()]
        : command.commands.map((below) => `${command.name()} ${below.name()}`),
    );
    const said = Object.keys(CALLER_RULES).filter((name) => !name.startsWith("mcp "));
    expect(said.toSorted()).toEqual(names.toSorted());
    const closed = said.filter((name) => CALLER_RULES[name]?.who !== "anyone");
    expect(Object.keys(CALLS).toSorted()).toEqual(closed.toSorted());
  });

  test("reserve trust and higher limits for people, and allow everyone to read", () => {
    const dir = "/";
    expect(getRequiredCaller({ command: "resume", dir })).toBe("outsider");
    expect(getRequiredCaller({ command: "resume", flags: { budget: "900" }, dir })).toBe("person");
    expect(getRequiredCaller({ command: "run", flags: { trust: true }, dir })).toBe("person");
    expect(getRequiredCaller({ command: "run", flags: { dryRun: true }, dir })).toBe("anyone");
    expect(getRequiredCaller({ command: "doctor", flags: { checks: true }, dir })).toBe("outsider");
    expect(getRequiredCaller({ command: "gc", flags: { dryRun: true }, dir })).toBe("anyone");
  });
});

describe("a process started by a step of a run", () => {
  test("is refused by all person-only commands, also with a cleared environment", { timeout: 180_000 }, async () => {
    const scene = makeScene();
    const lines = Object.values(CALLS).map((call) => `${clearEnvironment(scene, call)} || true`);
    const said = (await runStep({ script: lines.join("\n"), home: join(root, "home") })).trim().split("\n");
    expect(said.map((line) => JSON.parse(line).code)).toEqual(Object.keys(CALLS).map(() => "AGENT_IN_CHARGE"));
    expect(said[0]).toContain("was started by the step 20261116-abc/1 Build@");
  });

  test("may read runs", async () => {
    const said = await runStep({
      script: clearEnvironment(makeScene(), "run ledger x --dry-run"),
      home: join(root, "home"),
    });
    expect(JSON.parse(said)).toMatchObject({ pipeline: "ledger" });
  });

  test("is detected after its parents exit", async () => {
    const script = orphanCommand(clearEnvironment(makeScene(), "approve q-1"));
    expect(await runStep({ script, home: join(root, "home") })).toContain("AGENT_IN_CHARGE");
  });

  test("is detected in its own session after its parents exit, by a marker that only root can remove", async ({
    skip,
  }) => {
    skip(process.platform !== "linux", "there is no such limit");
    const script = orphanCommand(clearEnvironment(makeScene(), "approve q-1"), "setsid");
    expect(await runStep({ script, home: join(root, "home") })).toContain("AGENT_IN_CHARGE");
  });

  test("is detected in its own session if there is a namespace", async ({ skip }) => {
    const bin = mkdtempSync(join(root, "bin-"));
    for (const name of ["unshare", "setsid"])
      writeFileSync(join(bin, name), `#!/bin/sh\nexec /usr/bin/${name} "$@"\n`, { mode: 0o755 });
    const sandbox = await findSandbox({ PATH: bin });
    skip(!sandbox.confines.processes, sandbox.summary);
    const script = orphanCommand(clearEnvironment(makeScene(), "approve q-1"), "setsid");
    expect(await runStep({ script, sandbox, home: join(root, "home") })).toContain("AGENT_IN_CHARGE");
  });

  test("is detected by its first process after it removed all markers", async () => {
    const script = `exec env -i PATH="$PATH" sh -c '${clearEnvironment(makeScene(), "cancel").replace('"$PATH"', PATH)}'`;
    expect(await runStep({ script, home: join(root, "home") })).toContain("AGENT_IN_CHARGE");
  });

  test("is refused by the mcp tools that do more than read", { timeout: 300_000 }, async () => {
    const tools = [
      { name: "run_start", arguments: { pipeline: "small", request: "x" } },
      { name: "run_resume", arguments: { run: "r" } },
      { name: "run_pause", arguments: { run: "r" } },
      { name: "run_stop", arguments: { run: "r", agent: "a" } },
      { name: "run_cancel", arguments: { run: "r" } },
      { name: "question_answer", arguments: { id: "q-1" } },
      { name: "dispatch_complete", arguments: { id: "d-1", message: "done" } },
    ];
    const hello = {
      protocolVersion: "2025-06-18",
      capabilities: { elicitation: {} },
      clientInfo: { name: "c", version: "1" },
    };
    const requests = [
      { jsonrpc: "2.0", id: 100, method: "initialize", params: hello },
      { jsonrpc: "2.0", method: "notifications/initialized" },
      ...tools.map((params, id) => ({ jsonrpc: "2.0", id, method: "tools/call", params })),
    ];
    const lines = join(root, "requests");
    writeFileSync(lines, requests.map((request) => `${JSON.stringify(request)}\n`).join(""));
    // Keeps the input open until every response has arrived: one to the greeting, and one to each tool.
    const heard = `n=0; while [ $n -le ${tools.length} ] && read -r line; do printf "%s\\n" "$line"; n=$((n+1)); done; echo > end`;
    const script = `mkfifo end; ( cat ${lines}; read -r x < end ) | ${clearEnvironment(makeScene(), "mcp")} | ( ${heard} )`;
    const said = (await runStep({ script, home: join(root, "home") })).trim().split("\n").slice(1);
    expect(said).toHaveLength(tools.length);
    for (const line of said) expect(line).toContain("AGENT_IN_CHARGE");
  });

  test("may do anything in a repository created in its own home, except sign and serve", async () => {
    const own = makeOwn();
    const script = ["cancel", "ui --no-open", "attest r --key nowhere"].map(
      (call) => `${runInside(own, call)} || true`,
    );
    expect(parseCodes(await runStep({ script: script.join("\n"), home: own.home }))).toEqual([
      "RUN_UNKNOWN",
      "AGENT_IN_CHARGE",
      "AGENT_IN_CHARGE",
    ]);
  });

  test("does not own a repository that points elsewhere through links or git settings", {
    timeout: 300_000,
  }, async () => {
    const other = makeScene();
    const theirs = (path: string) => join(other.repo, path);
    writeFileSync(theirs(".signalbox/signalbox.db"), "");
    const lures: Readonly<Record<string, (repo: string) => void>> = {
      "another checkout": (repo) => other.git("-C", repo, "config", "core.worktree", other.repo),
      "a link to their folder": (repo) => symlinkSync(theirs(".signalbox"), join(repo, ".signalbox")),
      "a link to their database": (repo) => {
        mkdirSync(join(repo, ".signalbox"));
        symlinkSync(theirs(".signalbox/signalbox.db"), join(repo, ".signalbox/signalbox.db"));
      },
      "a link to nowhere yet": (repo) => {
        mkdirSync(join(repo, ".signalbox"));
        symlinkSync(theirs(".signalbox/new.db"), join(repo, ".signalbox/signalbox.db"));
      },
      "a second name of their database": (repo) => {
        mkdirSync(join(repo, ".signalbox"));
        linkSync(theirs(".signalbox/signalbox.db"), join(repo, ".signalbox/signalbox.db"));
      },
      "their runs": (repo) => {
        mkdirSync(join(repo, ".signalbox/runs"), { recursive: true });
        symlinkSync(theirs(".signalbox"), join(repo, ".signalbox/runs/20261116-abc"));
      },
      "a file that names their git directory": (repo) => {
        rmSync(join(repo, ".git"), { recursive: true });
        writeFileSync(join(repo, ".git"), `gitdir: ${theirs(".git")}\n`);
      },
      "a link to their git directory": (repo) => {
        rmSync(join(repo, ".git"), { recursive: true });
        symlinkSync(theirs(".git"), join(repo, ".git"));
      },
      "a git directory that shares theirs": (repo) => writeFileSync(join(repo, ".git/commondir"), theirs(".git")),
      "a checkout of its own whose git directory is theirs": (repo) => {
        mkdirSync(join(repo, "below"));
        writeFileSync(join(repo, "below/.git"), `gitdir: ${theirs(".git")}\n`);
        other.git("-C", repo, "config", "core.worktree", join(repo, "below"));
      },
      "a link that is the repository": (repo) => {
        rmSync(repo, { recursive: true });
        symlinkSync(other.repo, repo);
      },
    };
    const own = makeOwn();
    const repos = Object.values(lures).map((lure, n) => {
      const repo = makeRepository(join(own.home, `lure-${n}`));
      lure(repo);
      return repo;
    });
    const script = repos.map((repo) => `${runInside({ ...own, repo }, "cancel")} || true`).join("\n");
    const codes = parseCodes(await runStep({ script, home: own.home }));
    expect(Object.keys(lures).map((name, n) => [name, codes[n]])).toEqual(
      Object.keys(lures).map((name) => [name, "AGENT_IN_CHARGE"]),
    );
  });

  test("does not own the user's other folders from there", async () => {
    const own = makeOwn();
    const script = ["XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "GIT_DIR", "GIT_WORK_TREE"].map(
      (name) => `${runInside(own, "gc --yes", `${name}=${root}/theirs`)} || true`,
    );
    const codes = parseCodes(await runStep({ script: script.join("\n"), home: own.home }));
    expect(codes).toEqual(script.map(() => "AGENT_IN_CHARGE"));
  });

  test("cannot pose as another run with a forged marker and folders", { timeout: 300_000 }, async ({ skip }) => {
    skip(process.platform !== "linux", "there is no such limit");
    const scene = makeScene();
    const [theirs, run] = [dirname(scene.repo), "20261116-abc"];
    const lure = join(mkdtempSync(join(root, "forged-")), "signalbox/homes", `${run}-${"0".repeat(16)}`);
    mkdirSync(dirname(lure), { recursive: true });
    symlinkSync(theirs, lure);
    for (const claimed of [theirs, lure]) {
      const inner = `env -i PATH="${PATH}" HOME=${claimed} "${process.execPath}" "${BIN}" -C ${scene.repo} --json approve q-1`;
      const forged = `env -i PATH="${PATH}" HOME=${claimed} TMPDIR=${claimed} SIGNALBOX_COOKIE=${run}/x setsid sh -c '${inner}; exit 0'`;
      expect(await runStep({ script: orphanCommand(forged), home: join(root, "home") })).toContain("AGENT_IN_CHARGE");
    }
  });
});

type OwnRepository = { readonly home: string; readonly repo: string };

/** Creates a step's home where the engine does, with a repository of the step's own. */
function makeOwn(): OwnRepository {
  const home = join(mkdtempSync(join(root, "cache-")), "signalbox/homes", `20261116-abc-${"0".repeat(16)}`);
  return { home, repo: makeRepository(join(home, "tmp/repo")) };
}

function makeRepository(repo: string): string {
  mkdirSync(repo, { recursive: true });
  const git = ["-C", repo, "-c", "user.name=T", "-c", "user.email=t@localhost"];
  execFileSync("git", [...git, "init", "-q", "-b", "main"]);
  execFileSync("git", [...git, "commit", "-q", "--allow-empty", "-m", "first"]);
  return repo;
}

const runInside = ({ home, repo }: OwnRepository, call: string, more = ""): string =>
  `env -i PATH="$PATH" HOME=${home} ${more} "${process.execPath}" "${BIN}" -C ${repo} --json ${call}`;

const parseCodes = (said: string): readonly unknown[] =>
  said
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line).code);
