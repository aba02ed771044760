import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { lastEvent, makeScene } from "./scene.ts";

test("[A-20] a check that is killed twice suspends the run with the reason, and `resume` runs it again", {
  timeout: 120_000,
}, async () => {
  const scene = makeScene({ env: { SIGNALBOX_SANDBOX: "off" } });
  const cured = join(scene.repo, "..", "cured");
  // The check fails only on the tree to be committed.
  scene.put(".signalbox/config.yaml", `commands:\n  test: "test ! -e a.txt || test -e ${cured} || kill -KILL $$"\n`);
  const flags = ["--agents", scene.agents, "--json"];
  const rested = await scene.signalbox("run", "small", "x", ...flags);
  expect(rested.exit).toBe(4);
  expect(lastEvent(rested)).toMatchObject({
    type: "run.suspended",
    status: "interrupted",
    code: "CHECK_KILLED",
    reason: expect.stringContaining("was killed twice, by SIGKILL"),
  });
  expect(rested.events.some((event) => event["check"] === "test" && event["phase"] === "after")).toBe(false);
  writeFileSync(cured, "");
  const resumed = await scene.signalbox("resume", "--json");
  expect(resumed.exit).toBe(0);
  expect(lastEvent(resumed)).toMatchObject({ type: "run.finished", status: "done", commit: expect.any(String) });
});
