import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createHeldWorld } from "../suite/held-world.ts";
import { startOtherProcess } from "./fixtures/start.ts";
import { createSqliteHost } from "./host.ts";

test("[A-32] two processes that answer the same hundred questions at once agree on whose answers count", async () => {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-inbox-"));
  const file = join(folder, "signalbox.db");
  const host = createSqliteHost({ file, world: createHeldWorld() });
  onTestFinished(async () => {
    await host.close();
    rmSync(folder, { recursive: true });
  });
  await host.runs.create({ id: "run-1", pipeline: "ledger", repo: "/repo" });
  const both = [startOtherProcess("answer", file), startOtherProcess("answer", file)] as const;
  await Promise.all(both.map((each) => each.said(1)));
  for (const { child } of both) child.stdin?.write("go\n");
  const [one, two] = await Promise.all(both.map((each) => each.ended));
  expect(one?.lines).toHaveLength(101);
  expect(one?.lines).toEqual(two?.lines);
  const stored = (await host.inbox.unread("run-1")).map(({ letter: signal }) => signal.by);
  expect(stored).toEqual(one?.lines.slice(1));
});
