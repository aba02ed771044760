import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Host } from "../../core/ports/host.ts";
import { hostSuite } from "../host.suite.ts";
import { createHeldWorld } from "../suite/held-world.ts";
import { createSqliteHost } from "./host.ts";

const LEASE_MS = 1_000;

hostSuite("sqlite file", async () => {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-host-"));
  const world = createHeldWorld();
  const opened: Host[] = [];
  const open = (): Host => {
    const host = createSqliteHost({ file: join(folder, "signalbox.db"), world, leaseMs: LEASE_MS });
    opened.push(host);
    return host;
  };
  return {
    host: open(),
    another: async () => open(),
    lapse: async () => world.advance(LEASE_MS + 1),
    close: async () => {
      for (const host of opened) await host.close();
      rmSync(folder, { recursive: true });
    },
  };
});

hostSuite("sqlite :memory:", async () => {
  const world = createHeldWorld();
  const host = createSqliteHost({ file: ":memory:", world, leaseMs: LEASE_MS });
  return {
    host,
    another: "a database in memory belongs to one handle",
    lapse: async () => world.advance(LEASE_MS + 1),
    close: () => host.close(),
  };
});
