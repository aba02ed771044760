import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { lastEvent, makeScene } from "./scene.ts";

const CONFIG = ".signalbox/config.yaml";

test("setup and checks receive the configured environment variables, and agents receive none of them", async () => {
  const scene = makeScene({ env: { FROM_SHELL: "passed-on", UNNAMED: "stays-here" } });
  scene.put(
    CONFIG,
    [
      "environment:",
      "  pass: [FROM_SHELL]",
      "  setup: { set: { ONLY_SETUP: made } }",
      "  checks: { set: { SERVICE_PASSWORD: swordfish-swordfish } }",
      "commands:",
      '  setup: test "$FROM_SHELL$ONLY_SETUP$SERVICE_PASSWORD$UNNAMED" = passed-onmade',
      '  test: test "$FROM_SHELL$ONLY_SETUP$UNNAMED" = passed-on && test -n "$SERVICE_PASSWORD" && echo it is $SERVICE_PASSWORD',
      "",
    ].join("\n"),
  );
  writeFileSync(
    scene.agents,
    'agents:\n  - role: writer\n    do: [{ run: "test -z \\"$FROM_SHELL$ONLY_SETUP$SERVICE_PASSWORD\\" && echo fine > a.txt" }]\n    output: { summary: write }\n',
  );
  const ended = await scene.signalbox("run", "small", "x", "--agents", scene.agents, "--json");
  expect(lastEvent(ended), ended.out).toMatchObject({ type: "run.finished", status: "done" });
  expect(ended.out).not.toContain("swordfish");
  expect(scene.git("show", `${lastEvent(ended)["commit"]}:a.txt`)).toBe("fine\n");
  const dry = await scene.signalbox("run", "small", "x", "--agents", scene.agents, "--dry-run");
  expect(dry.out).toContain("FROM_SHELL from your environment for set-up and checks");
  expect(dry.out).toContain("SERVICE_PASSWORD=… for checks");
  expect((await scene.signalbox("config", "explain")).out).not.toContain("swordfish");
});

test("a file that a configured variable points to is readable in the sandbox, although the home directory is not", async () => {
  const scene = makeScene();
  const home = join(scene.repo, "../house");
  mkdirSync(join(home, "certificates"), { recursive: true });
  writeFileSync(join(home, "certificates/ca.pem"), "known\n");
  const writeConfig = (text: string) =>
    scene.put(CONFIG, `commands:\n  test: grep -q known "${home}/certificates/ca.pem"\n${text}`);
  const tryChecks = async () => (await scene.from({ env: { HOME: home } }, "doctor", "--checks", "--json")).out;
  const parseOutcome = (text: string): unknown => JSON.parse(text).tried.checks[0].outcome;
  writeConfig(`environment:\n  checks: { set: { NODE_EXTRA_CA_CERTS: ${home}/certificates/ca.pem } }\n`);
  expect(parseOutcome(await tryChecks())).toBe("passed");
});

test("trust covers the configured environment", async () => {
  const scene = makeScene({ env: { SIGNALBOX_TRUST: "" } });
  scene.put(CONFIG, "commands: { test: 'true' }\n");
  expect((await scene.signalbox("init", "--yes")).exit).toBe(0);
  expect((await scene.signalbox("run", "small", "x", "--agents", scene.agents)).exit).toBe(0);
  scene.put(CONFIG, "commands: { test: 'true' }\nenvironment: { pass: [AWS_SECRET_ACCESS_KEY] }\n");
  const refused = await scene.signalbox("run", "small", "x", "--agents", scene.agents, "--json");
  expect(refused.exit).toBe(4);
  expect(lastEvent(refused)).toMatchObject({ code: "UNTRUSTED" });
  const dry = await scene.signalbox("run", "ledger", "x", "--agents", scene.agents, "--dry-run");
  expect(dry.out).toContain("environment AWS_SECRET_ACCESS_KEY from your environment for set-up and checks");
});
