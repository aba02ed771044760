import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { stringify } from "yaml";
import { listSandboxPaths } from "../../src/cli/agents/sandbox-paths.ts";
import { resolvePlaces } from "../../src/cli/project/repository.ts";
import { chooseSandbox } from "../../src/processes/sandbox/sandbox.ts";
import { makeScene } from "../cli/scene.ts";
import { served } from "./served.ts";

const { confines } = await chooseSandbox("auto");

test("the paths that a sandbox hides from agents and checks include the server's folder, also before its first run", async () => {
  const scene = makeScene();
  const state = join(scene.repo, "../state");
  await scene.signalbox("run", "small", "x", "--agents", scene.agents, "--json");
  const before = process.env["XDG_STATE_HOME"];
  process.env["XDG_STATE_HOME"] = state;
  try {
    const { hidden } = listSandboxPaths({ places: await resolvePlaces(scene.repo), agents: [] });
    expect(hidden).toContain(join(state, "signalbox"));
  } finally {
    if (before === undefined) delete process.env["XDG_STATE_HOME"];
    else process.env["XDG_STATE_HOME"] = before;
  }
});

test.skipIf(!confines.files)(
  "an agent in a sandbox that confines files cannot read the token",
  {
    timeout: 120_000,
  },
  async () => {
    const scene = makeScene();
    const page = await served(scene);
    const token = join(scene.repo, "../state/signalbox/server/token");
    const steal = `if cat ${token} > a.txt; then echo read > a.txt; else echo hidden > a.txt; fi`;
    const writer = { role: "writer", do: [{ run: steal }], output: { summary: "took a look" } };
    writeFileSync(scene.agents, stringify({ agents: [writer] }));
    const ended = await scene.signalbox(
      "run",
      "small",
      "x",
      "--agents",
      scene.agents,
      "--sandbox",
      "required",
      "--json",
    );
    const run = String(ended.events.at(-1)?.["run"]);
    expect(scene.git("show", `signalbox/${run}:a.txt`), ended.out.slice(-2_000)).toBe("hidden\n");
    expect(ended.out).not.toContain(page.token);
  },
);
