import { describe, expect, test } from "vitest";
import { lastEvent, makeScene, type Scene } from "./scene.ts";

/** No git settings except those that a test creates. */
const NOBODY = { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" };

async function runToCommit(scene: Scene): Promise<string> {
  const ended = await scene.signalbox("run", "small", "x", "--agents", scene.agents, "--json");
  expect(lastEvent(ended)).toMatchObject({ type: "run.finished", status: "done" });
  return `signalbox/${lastEvent(ended)["run"]}`;
}

const readCommitNames = (scene: Scene, branch: string): string =>
  scene.git("log", "-1", "--format=%an <%ae> / %cn <%ce>", branch).trim();

describe("a commit", () => {
  test("has the repository's user as author and names the agents in its trailers", async () => {
    const scene = makeScene({ env: NOBODY });
    scene.git("config", "user.name", "Ada Lovelace");
    scene.git("config", "user.email", "ada@example.org");
    const branch = await runToCommit(scene);
    expect(readCommitNames(scene, branch)).toBe("Ada Lovelace <ada@example.org> / Ada Lovelace <ada@example.org>");
    const trailers = scene.git("log", "-1", "--format=%(trailers:only,unfold)", branch);
    expect(trailers).toMatch(/^Signalbox-Agents: scripted \(writer\)$/m);
    expect(trailers).toMatch(/^Signalbox-Chain: \d+:[0-9a-f]+$/m);
    expect(trailers).toMatch(/^Signalbox-Run: /m);
  });

  test("takes the author from the environment before the settings, as git does", async () => {
    const env = { ...NOBODY, GIT_AUTHOR_NAME: "Eve", GIT_AUTHOR_EMAIL: "eve@example.org" };
    const scene = makeScene({ env });
    scene.git("config", "user.name", "Ada");
    scene.git("config", "user.email", "ada@example.org");
    expect(readCommitNames(scene, await runToCommit(scene))).toBe("Eve <eve@example.org> / Ada <ada@example.org>");
  });

  test("has Signalbox as author if git has no identity, and the start of the run says so", async () => {
    const scene = makeScene({ env: NOBODY });
    const { out } = await scene.signalbox("run", "small", "x", "--agents", scene.agents);
    expect(out).toContain("git has no user configured, so commits use the name Signalbox");
    const run = / run (\d{8}-\d{6}-[0-9a-f]+)/.exec(out)?.[1] ?? "";
    expect(readCommitNames(scene, `signalbox/${run}`)).toBe(
      "Signalbox <signalbox@localhost> / Signalbox <signalbox@localhost>",
    );
  });
});
