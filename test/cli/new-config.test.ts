import { describe, expect, test } from "vitest";
import { lastEvent, makeScene } from "./scene.ts";

const CONFIG = "commands:\n  test: echo all is well && test -f README.md\n";

/** Starts a run that waits for an answer, then adds a build command to its configuration. */
async function startRunBeforeChange() {
  const scene = makeScene({ env: { SIGNALBOX_NO_CHECKS: "" } });
  scene.put(".signalbox/config.yaml", CONFIG);
  scene.git("add", ".");
  scene.git("commit", "-qm", "config");
  const flags = ["--input", "finish=ask", "--agents", scene.agents, "--json"];
  const run = String(lastEvent(await scene.signalbox("run", "small", "x", ...flags))["run"]);
  const [asked] = JSON.parse((await scene.signalbox("inbox", "--json")).out).approvals;
  await scene.signalbox("approve", asked.approval);
  scene.put(".signalbox/config.yaml", `${CONFIG}  build: test -f a.txt\n`);
  return { scene, run };
}

const listChecks = (events: readonly { readonly type: string; readonly [key: string]: unknown }[]) =>
  new Set(events.flatMap((event) => (event.type === "evidence.recorded" ? [event["check"]] : [])));

describe("a configuration that changed after the start of the run", () => {
  test("is reported at resume, and the run continues with the one it started with", async () => {
    const { scene, run } = await startRunBeforeChange();
    const { out } = await scene.signalbox("resume", run);
    expect(out).toContain("commands.build: none → test -f a.txt");
    expect(out).toContain(`signalbox resume ${run} --config`);
    const { events } = await scene.signalbox("events", run, "--json");
    expect(lastEvent({ events } as never)).toMatchObject({ status: "done" });
    expect(listChecks(events).has("build")).toBe(false);
  });

  test("is applied with --config, and the journal records it", async () => {
    const { scene, run } = await startRunBeforeChange();
    const resumed = await scene.signalbox("resume", run, "--config", "--json");
    expect(resumed.events.find(({ type }) => type === "run.resumed")).toMatchObject({
      config: { commands: [{ name: "test" }, { name: "build", run: "test -f a.txt" }] },
    });
    const changed = expect.stringContaining("with a changed configuration (resume --config)");
    const untested = expect.stringContaining("no check reported a test");
    expect(lastEvent(resumed)).toMatchObject({ type: "run.finished", status: "done", caveats: [changed, untested] });
    expect(listChecks(resumed.events)).toContain("build");
    expect((await scene.signalbox("logs", run, "--checks")).out).toMatch(
      /── test .*exit 0 on [0-9a-f]{7}\n {3}all is well\n/,
    );
    const verified = await scene.signalbox("evidence", run, "--verify", "--check");
    expect(verified.exit, verified.out).toBe(0);
  });
});
