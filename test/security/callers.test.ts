import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { program } from "../../src/cli/program.ts";
import { callerFor, MAY_CALL } from "../../src/cli/trust/callers.ts";
import { findSandbox, noSandbox, type Sandbox } from "../../src/processes/sandbox/sandbox.ts";
import { supervisor } from "../../src/processes/supervisor.ts";
import { testWorld } from "../../src/processes/test-world.suite.ts";
import { makeScene, type Scene } from "../cli/scene.ts";
import "../../src/cli/contents/start.ts";
import "../../src/cli/contents/watch.ts";
import "../../src/cli/contents/decide.ts";
import "../../src/cli/contents/control.ts";
import "../../src/cli/contents/inspect.ts";
import "../../src/cli/contents/sign.ts";
import "../../src/cli/contents/author.ts";

const BIN = fileURLToPath(new URL("../../bin/signalbox.js", import.meta.url));
const root = realpathSync(mkdtempSync(join(tmpdir(), "signalbox-callers-")));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const PATH = [dirname(process.execPath), process.env["PATH"]].join(":");

/** A call as it is typed, for every command that agents may not use. */
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
  __notices: "__notices",
};

type Step = { readonly script: string; readonly sandbox?: Sandbox; readonly home?: string };

/** What a step of a run prints that the engine started. */
async function step({ script, sandbox = noSandbox("switched off"), home = root }: Step): Promise<string> {
  const id = testWorld.newId();
  const started = await supervisor({ world: testWorld, sandbox }).start({
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

/** With nothing of the step left in its environment. */
const cleared = ({ repo }: Scene, call: string): string =>
  `env -i PATH="$PATH" HOME=/nowhere XDG_STATE_HOME=${root}/state ${process.execPath} ${BIN} -C ${repo} --json ${call}`;
/** Its parents gone, it belongs to the first process of the system. */
const orphaned = (line: string, how = ""): string => `mkfifo f; ( ${how} ${line} > f 2>&1 & ); cat f; rm f`;

describe("who may call a command", () => {
  test("is said for every command of the program, and for none that there is not", () => {
    const names = program.commands.flatMap((command) =>
      command.commands.length === 0
        ? [command.name()]
        : command.commands.map((below) => `${command.name()} ${below.name()}`),
    );
    const said = Object.keys(MAY_CALL).filter((name) => !name.startsWith("mcp "));
    expect(said.toSorted()).toEqual(names.toSorted());
    const closed = said.filter((name) => MAY_CALL[name]?.who !== "anyone");
    expect(Object.keys(CALLS).toSorted()).toEqual(closed.toSorted());
  });

  test("a yes and higher limits are a person's, a look is anyone's", () => {
    const dir = "/";
    expect(callerFor({ command: "resume", dir })).toBe("outsider");
    expect(callerFor({ command: "resume", flags: { budget: "900" }, dir })).toBe("person");
    expect(callerFor({ command: "run", flags: { trust: true }, dir })).toBe("person");
    expect(callerFor({ command: "run", flags: { dryRun: true }, dir })).toBe("anyone");
    expect(callerFor({ command: "doctor", flags: { checks: true }, dir })).toBe("outsider");
    expect(callerFor({ command: "gc", flags: { dryRun: true }, dir })).toBe("anyone");
  });
});

describe("a step of a run", () => {
  test("is refused every one of them, also with a cleared environment", { timeout: 180_000 }, async () => {
    const scene = makeScene();
    const lines = Object.values(CALLS).map((call) => `${cleared(scene, call)} || true`);
    const said = (await step({ script: lines.join("\n"), home: join(root, "home") })).trim().split("\n");
    expect(said.map((line) => JSON.parse(line).code)).toEqual(Object.keys(CALLS).map(() => "AGENT_IN_CHARGE"));
    expect(said[0]).toContain("was started by the step 20261116-abc/1 Build@");
  });

  test("may look", async () => {
    const said = await step({ script: cleared(makeScene(), "run ledger x --dry-run"), home: join(root, "home") });
    expect(JSON.parse(said)).toMatchObject({ pipeline: "ledger" });
  });

  test("is known when its parents are gone", async () => {
    const script = orphaned(cleared(makeScene(), "approve q-1"));
    expect(await step({ script, home: join(root, "home") })).toContain("AGENT_IN_CHARGE");
  });

  test("is known in a session of its own with its parents gone, by what only root can take away", async ({ skip }) => {
    skip(process.platform !== "linux", "there is no such limit");
    const script = orphaned(cleared(makeScene(), "approve q-1"), "setsid");
    expect(await step({ script, home: join(root, "home") })).toContain("AGENT_IN_CHARGE");
  });

  test("is known in a session of its own, where there is a namespace", async ({ skip }) => {
    const bin = mkdtempSync(join(root, "bin-"));
    for (const name of ["unshare", "setsid"])
      writeFileSync(join(bin, name), `#!/bin/sh\nexec /usr/bin/${name} "$@"\n`, { mode: 0o755 });
    const sandbox = await findSandbox({ PATH: bin });
    skip(!sandbox.confines.processes, sandbox.summary);
    const script = orphaned(cleared(makeScene(), "approve q-1"), "setsid");
    expect(await step({ script, sandbox, home: join(root, "home") })).toContain("AGENT_IN_CHARGE");
  });

  test("is known by its first process where it took all marks away", async () => {
    const script = `exec env -i PATH="$PATH" sh -c '${cleared(makeScene(), "cancel").replace('"$PATH"', PATH)}'`;
    expect(await step({ script, home: join(root, "home") })).toContain("AGENT_IN_CHARGE");
  });

  test("is refused by the tools of mcp that do more than look", { timeout: 120_000 }, async () => {
    const tools = [
      { name: "run_start", arguments: { pipeline: "small", request: "x" } },
      { name: "run_resume", arguments: { run: "r" } },
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
    // It is kept talking until every answer has come: one to the greeting, and one to each tool.
    const heard = `n=0; while [ $n -le ${tools.length} ] && read -r line; do printf "%s\\n" "$line"; n=$((n+1)); done; echo > end`;
    const script = `mkfifo end; ( cat ${lines}; read -r x < end ) | ${cleared(makeScene(), "mcp")} | ( ${heard} )`;
    const said = (await step({ script, home: join(root, "home") })).trim().split("\n").slice(1);
    expect(said).toHaveLength(tools.length);
    for (const line of said) expect(line).toContain("AGENT_IN_CHARGE");
  });

  test("may do as it likes in a repository that it made in its own home, and nowhere else through that", async () => {
    const scene = makeScene();
    const home = dirname(scene.repo);
    expect(await step({ script: cleared(scene, "cancel"), home })).toContain("RUN_UNKNOWN");
    const other = makeScene();
    const lure = join(home, "lure");
    mkdirSync(lure);
    scene.git("init", "-q", lure);
    scene.git("-C", lure, "config", "core.worktree", other.repo);
    expect(await step({ script: cleared({ ...scene, repo: lure }, "cancel"), home })).toContain("AGENT_IN_CHARGE");
  });
});
