import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { DispatchOrder } from "../core/ports/driver.ts";
import { environmentOf } from "./environment.ts";

test("an agent gets the variables that its driver names, and never the engine's own", () => {
  const home = mkdtempSync(join(tmpdir(), "signalbox-agent-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  // Only the recipient fields of the order matter here.
  const order = { home, run: "r1", round: 1, attempt: 1 } as unknown as DispatchOrder;
  const from = { MY_KEY: "k", OTHER: "o", SIGNALBOX_POSTGRES: "postgres://wrk:secret@db/x" };
  const env = environmentOf(order, { from, pass: ["MY_KEY", "SIGNALBOX_POSTGRES"] });
  expect(env).toMatchObject({ MY_KEY: "k", SIGNALBOX_RUN: "r1" });
  expect(env).not.toHaveProperty("OTHER");
  expect(env).not.toHaveProperty("SIGNALBOX_POSTGRES");
});
