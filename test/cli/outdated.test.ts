import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeScene } from "./scene.ts";

test("a database restored from an older copy is not continued", { timeout: 300_000 }, async () => {
  const scene = makeScene();
  const folder = join(scene.repo, ".signalbox");
  const parked = await scene.signalbox(
    "run",
    "small",
    "x",
    "--input",
    "finish=ask",
    "--agents",
    scene.agents,
    "--json",
  );
  const asked = parked.events.find((event) => event.type === "approval.requested");
  const [approval, run] = [String(asked?.["approval"]), String(asked?.["run"])];
  cpSync(join(folder, "signalbox.db"), join(scene.repo, "..", "old.db"));
  await scene.signalbox("approve", approval, "--choose", "revise", "--note", "shorter");
  await scene.signalbox("resume", run);
  const refs = scene.git("for-each-ref");
  for (const end of ["", "-wal", "-shm"]) rmSync(join(folder, `signalbox.db${end}`), { force: true });
  cpSync(join(scene.repo, "..", "old.db"), join(folder, "signalbox.db"));
  for (const words of [
    ["approve", approval],
    ["reject", approval],
    ["resume", run],
  ]) {
    const refused = await scene.signalbox(...words);
    expect(refused.exit).toBe(65);
    expect(refused.err).toContain("the database was changed or is an older copy");
  }
  expect(scene.git("for-each-ref")).toBe(refs);
});
