import { writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { findSandbox } from "../../src/processes/sandbox/sandbox.ts";
import { lastEvent, makeScene, type Scene } from "../cli/scene.ts";

const PIPELINE = `import { definePipeline, defineRole } from "signalbox";
import { z } from "zod";

const writer = defineRole({ name: "writer", does: "Writes.", contract: z.object({ summary: z.string() }), writes: true });

export const judged = definePipeline(
  {
    name: "judged",
    about: "Work that the engine's checks judge",
    version: 1,
    input: z.object({ request: z.string() }),
    dialect: "json",
    phases: [{ title: "1 Write", roles: [writer] }],
    cap: 1,
  },
  async ({ phase, agent, check }) => {
    phase("1 Write");
    const work = await agent(writer, {});
    const { passed } = await check(work.after);
    return passed ? { status: "done", confidence: "high" } : { status: "error", reason: "the check is red" };
  },
);
`;

const CONFIG = `commands:
  setup: { run: sh setup.sh, lock-file: lock }
  test: sh tools/judge
`;

/** The setup installs the program that checks the work: \`good\` work passes. */
function createJudgedScene(sandbox: string): Scene {
  const scene = makeScene({ env: { SIGNALBOX_SANDBOX: sandbox } });
  scene.put(".signalbox/pipelines/judged.ts", PIPELINE);
  scene.put(".signalbox/config.yaml", CONFIG);
  scene.put("lock", "1\n");
  scene.put("setup.sh", "mkdir tools && echo 'grep -q good work.txt' > tools/judge\n");
  scene.put("work.txt", "good\n");
  scene.git("add", ".");
  scene.git("commit", "-qm", "a project");
  return scene;
}

type Action = { readonly write: { readonly path: string; readonly content: string } } | { readonly run: string };

/** Returns the end of a run whose agent does this; separate scripts allow parallel runs. */
async function runToStatus(scene: Scene, does: readonly Action[], script = scene.agents): Promise<unknown> {
  writeFileSync(script, JSON.stringify({ agents: [{ role: "writer", do: does, output: { summary: "s" } }] }));
  const ended = await scene.signalbox("run", "judged", "x", "--agents", script, "--json");
  return lastEvent(ended)["status"];
}

const write = (path: string, content: string): Action => ({ write: { path, content } });
const BAD = [write("work.txt", "bad\n")];
const POISON = "mkdir tools && echo true > tools/judge\n";

/** A Node project whose checking program is put in place after installing. */
function createInstalledScene(sandbox: string): Scene {
  const scene = createJudgedScene(sandbox);
  const judge = "mkdir -p node_modules && echo 'grep -q good work.txt' > node_modules/judge";
  scene.put(".signalbox/config.yaml", INSTALLED);
  scene.put("package.json", JSON.stringify({ name: "x", version: "1.0.0", scripts: { postinstall: judge } }));
  scene.put("package-lock.json", LOCK);
  scene.git("add", ".");
  scene.git("commit", "-qm", "installed");
  return scene;
}

const INSTALLED = `commands:
  setup: { run: npm ci --no-audit --offline, lock-file: package-lock.json }
  test: sh node_modules/judge
`;
const LOCK = JSON.stringify({
  name: "x",
  version: "1.0.0",
  lockfileVersion: 3,
  requires: true,
  packages: { "": { name: "x", version: "1.0.0", hasInstallScript: true } },
});

const { name } = await findSandbox();

describe.each([
  { sandbox: "off", has: true },
  { sandbox: "required", has: name === "bubblewrap" },
])("[A-31] with sandbox $sandbox", ({ sandbox, has }) => {
  const held = test.skipIf(!has);

  held("a setup changed by an agent does not make later work pass", { timeout: 300_000 }, async () => {
    const scene = createJudgedScene(sandbox);
    await runToStatus(scene, [write("setup.sh", POISON)]);
    expect(await runToStatus(scene, BAD)).toBe("error");
    expect(await runToStatus(scene, [write("work.txt", "good again\n")])).toBe("done");
  });

  held(
    "a command that runs after the installation does not make later work pass either",
    { timeout: 300_000 },
    async () => {
      const scene = createInstalledScene(sandbox);
      const poisoned = {
        name: "x",
        version: "1.0.0",
        scripts: { postinstall: "mkdir -p node_modules && echo true > node_modules/judge" },
      };
      expect(await runToStatus(scene, [write("package.json", JSON.stringify(poisoned)), ...BAD])).toBe("done");
      expect(await runToStatus(scene, BAD)).toBe("error");
      expect(await runToStatus(scene, [write("work.txt", "good again\n")])).toBe("done");
    },
  );

  held(
    "a link in place of the script, the lock file or the output does not make later work pass either",
    { timeout: 300_000 },
    async () => {
      const scene = createJudgedScene(sandbox);
      for (const line of [
        "ln -sf evil.sh setup.sh",
        "ln -sf evil.sh setup.sh; cp lock l; ln -sf l lock",
        "mkdir t; ln -s t tools",
      ])
        await runToStatus(scene, [write("evil.sh", "mkdir -p tools && echo true > tools/judge\n"), { run: line }]);
      expect(await runToStatus(scene, BAD)).toBe("error");
    },
  );

  held("a parallel run with a poisoned setup does not make later work pass either", { timeout: 180_000 }, async () => {
    const scene = createJudgedScene(sandbox);
    const [mine, theirs] = [`${scene.agents}.mine`, `${scene.agents}.theirs`];
    const [, ended] = await Promise.all([
      runToStatus(scene, [write("setup.sh", POISON), ...BAD], theirs),
      runToStatus(scene, BAD, mine),
    ]);
    expect(ended).toBe("error");
    expect(await runToStatus(scene, BAD)).toBe("error");
  });
});

describe("the engine's own files", () => {
  test("[A-01] are in no commit, whatever an agent writes there", async () => {
    const scene = makeScene();
    const paths = [
      "signalbox.db",
      "runs/r/start.json",
      "config.local.yaml",
      "mailbox/d/reply.json",
      "config.yaml",
      "pipelines/small.ts",
    ];
    const does = [write("a.txt", "work\n"), ...paths.map((path) => write(`.signalbox/${path}`, "forged\n"))];
    writeFileSync(scene.agents, JSON.stringify({ agents: [{ role: "writer", do: does, output: { summary: "s" } }] }));
    const ended = await scene.signalbox("run", "small", "x", "--agents", scene.agents, "--json");
    expect(ended.exit, ended.out).toBe(0);
    const run = String(lastEvent(ended)["run"]);
    expect(scene.git("diff", "--name-only", "main", `signalbox/${run}`).trim()).toBe("a.txt");
    for (const path of paths) expect(ended.out).toContain(`.signalbox/${path}`);
  });
});
