import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { createSupervisor } from "../supervisor.ts";
import { testWorld } from "../test-world.suite.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "signalbox-ancestry-")));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const MODULE = fileURLToPath(new URL("./ancestry.ts", import.meta.url));

const HOME = join(root, "signalbox/homes", `r-${"0".repeat(16)}`);
mkdirSync(HOME, { recursive: true });

async function said(script: string, home = HOME): Promise<string> {
  const started = await createSupervisor({ world: testWorld }).start({
    command: process.execPath,
    args: [
      "--no-warnings",
      "--input-type=module",
      "--eval",
      `import { listProcesses, listOrigins } from "${MODULE}"; ${script}`,
    ],
    cwd: root,
    env: { PATH: process.env["PATH"] ?? "", HOME: home },
    spool: join(root, testWorld.newId()),
    cookie: "r/1 Build@1",
  });
  const { stdoutTail, stderrTail } = await started.exited;
  return stdoutTail || stderrTail;
}

describe("the origin of a process", () => {
  it("is the step that started it, with the folders created for that step", async () => {
    expect(JSON.parse(await said("console.log(JSON.stringify(listOrigins()))"))).toContainEqual({
      cookie: "r/1 Build@1",
      own: [HOME],
    });
  });

  it("has only folders that an engine created for that step, whatever its variables say", async () => {
    const others = join(dirname(HOME), `other-${"0".repeat(16)}`);
    mkdirSync(others);
    for (const home of [root, dirname(HOME), others, "/", join(root, "nowhere")]) {
      const found: { own: unknown }[] = JSON.parse(await said("console.log(JSON.stringify(listOrigins()))", home));
      expect(found.length).toBeGreaterThan(0);
      for (const { own } of found) expect(own).toEqual([]);
    }
  });

  it("includes the limit, in addition to other marks", async ({ skip }) => {
    skip(process.platform !== "linux", "there is no such limit");
    const found: { cookie?: string }[] = JSON.parse(await said("console.log(JSON.stringify(listOrigins()))"));
    expect(found.filter(({ cookie }) => cookie === undefined)).toHaveLength(1);
    expect(found.length).toBeGreaterThan(1);
  });

  it("is also found in a process list where /proc is missing", async () => {
    const climb =
      "const look = listProcesses(); let one = look('self'); while (one && !one.origin) one = look(one.parent);";
    expect(await said(`${climb} console.log(JSON.stringify(one?.origin ?? null))`)).toBe('{"own":[]}\n');
  });
});
