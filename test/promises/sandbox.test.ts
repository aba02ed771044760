import { expect, test } from "vitest";
import { findSandbox } from "../../src/processes/sandbox/sandbox.ts";
import { makeScene } from "../cli/scene.ts";

const LISTS_REPOSITORY = (repo: string) => `agents:
  - role: writer
    do: [{ run: "ls ${repo} > seen.txt 2>&1 || true" }, { write: { path: a.txt, content: "written\\n" } }]
    output: { summary: look around }
`;

/** Returns what an agent saw of the user's repository, and what the run printed about its sandbox. */
async function lookAround(sandbox: string): Promise<{ seen: string; out: string }> {
  const scene = makeScene({ env: { SIGNALBOX_SANDBOX: sandbox } });
  const agents = scene.put("../look.yaml", LISTS_REPOSITORY(scene.repo));
  const { exit, out, err } = await scene.signalbox("run", "small", "x", "--agents", agents);
  expect(exit, out + err).toBe(0);
  return {
    seen: scene.git("show", `${scene.git("branch", "--list", "signalbox/*", "--format=%(refname)").trim()}:seen.txt`),
    out,
  };
}

test("[U-16] without a sandbox the run reports it", async () => {
  const { seen, out } = await lookAround("off");
  expect(out).toContain("sandbox: none (switched off)");
  expect(seen).toContain("README.md");
});

const { name } = await findSandbox();
test("[U-16] with bubblewrap an agent does not see the user's repository", async (context) => {
  if (name !== "bubblewrap") return context.skip(`this system has no bubblewrap (${name})`);
  const { seen } = await lookAround("required");
  expect(seen).not.toContain("README.md");
});
