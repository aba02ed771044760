import { expect, onTestFinished, test } from "vitest";
import { createHeldWorld } from "../suite/held-world.ts";
import { startOtherProcess } from "./fixtures/start.ts";
import { createSqliteHost } from "./host.ts";

test("[R-44] a run whose engine was killed has no owner at once, not only after its lease", async () => {
  const other = startOtherProcess("own", "");
  onTestFinished(() => void other.child.kill("SIGKILL"));
  await other.said(1);
  const host = createSqliteHost({ file: ":memory:", world: createHeldWorld() });
  await host.runs.create({ id: "run-1", pipeline: "roadmap", repo: "/repo" });
  await host.runs.claim("run-1", other.lines[0] ?? "");
  expect((await host.runs.get("run-1"))?.owner).toBe(other.lines[0]);
  other.child.kill("SIGKILL");
  await other.ended;
  const nobodys = { owner: null, leaseUntil: null };
  expect(await host.runs.get("run-1")).toMatchObject(nobodys);
  expect(await host.runs.list()).toMatchObject([nobodys]);
  await host.close();
});
