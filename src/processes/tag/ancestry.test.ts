import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { supervisor } from "../supervisor.ts";
import { testWorld } from "../test-world.suite.ts";

const root = mkdtempSync(join(tmpdir(), "signalbox-ancestry-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const MODULE = fileURLToPath(new URL("./ancestry.ts", import.meta.url));

async function said(script: string): Promise<string> {
  const started = await supervisor({ world: testWorld }).start({
    command: process.execPath,
    args: ["--no-warnings", "--input-type=module", "--eval", `import { inList, origins } from "${MODULE}"; ${script}`],
    cwd: root,
    env: { PATH: process.env["PATH"] ?? "", HOME: root },
    spool: join(root, testWorld.newId()),
    cookie: "r/1 Build@1",
  });
  const { stdoutTail, stderrTail } = await started.exited;
  return stdoutTail || stderrTail;
}

describe("where a process comes from", () => {
  it("is the step that started it, with the folders that were made for that", async () => {
    expect(JSON.parse(await said("console.log(JSON.stringify(origins()))"))).toContainEqual({
      cookie: "r/1 Build@1",
      own: [root],
    });
  });

  it("can be seen in a list of processes too, where that is all there is", async () => {
    const climb = "const look = inList(); let one = look('self'); while (one && !one.origin) one = look(one.parent);";
    expect(await said(`${climb} console.log(JSON.stringify(one?.origin ?? null))`)).toBe('{"own":[]}\n');
  });
});
