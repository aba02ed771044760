import { copyFileSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Host } from "../../core/ports/host.ts";
import { createStep, listNumbers, listSeqs, stampRecords } from "../suite/facts.ts";
import { createHeldWorld } from "../suite/held-world.ts";
import { createSqliteHost } from "./host.ts";

const world = createHeldWorld();

test("a log has space for as many commits as there were, and does not grow until they have happened", async () => {
  const { file, append } = await opened();
  const size = () => statSync(`${file}-wal`).size;
  // Creating the tables, the run and its claim are commits too, so the 32nd has happened and the 64th has not.
  await append(1, 40);
  const before = size();
  await append(41, 55);
  expect(size()).toBe(before);
});

test("records before the reserved space are read back, also from a copy of an unclosed log", async () => {
  const { file, folder, append } = await opened();
  await append(1, 300);
  const copy = join(folder, "copy.db");
  for (const end of ["", "-wal"]) copyFileSync(file + end, copy + end);
  const again = createSqliteHost({ file: copy, world });
  expect(listSeqs(await again.journal.load("run-1"))).toEqual(listNumbers(300));
  await again.close();
});

test("a restarted log with older frames and reserved space after them keeps every record", async () => {
  const { file, host, append } = await opened();
  await append(1, 1_200);
  expect(listSeqs(await host.journal.load("run-1"))).toEqual(listNumbers(1_200));
  expect(statSync(`${file}-wal`).size).toBeLessThan(6_000_000);
});

async function opened(): Promise<{
  file: string;
  folder: string;
  host: Host;
  append(from: number, to: number): Promise<void>;
}> {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-room-"));
  const file = join(folder, "signalbox.db");
  const host = createSqliteHost({ file, world });
  onTestFinished(async () => {
    await host.close();
    rmSync(folder, { recursive: true });
  });
  await host.runs.create({ id: "run-1", pipeline: "ledger", repo: "/repo" });
  const result = await host.runs.claim("run-1", "engine-a");
  if (!result.won) throw new Error(`${result.owner} has it`);
  const { lease } = result;
  const append = async (from: number, to: number) => {
    for (let seq = from; seq <= to; seq++)
      await host.journal.append(lease, stampRecords("run-1", seq, [createStep(seq)]));
  };
  return { file, folder, host, append };
}
