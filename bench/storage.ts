import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createRealWorld } from "../src/cli/real-world.ts";
import { createSqliteHost } from "../src/hosts/sqlite/host.ts";
import type { TestPostgres } from "../test/support/postgres.ts";
import { atLeast, type Figure, median, perSecond } from "./figure.ts";
import { type Peer, peerFigure, startPeers } from "./peers.ts";
import { plainDbos } from "./plain-dbos.ts";
import { rawSyncs } from "./raw-sync.ts";
import { engineOn, stepsPerSecond } from "./steps.ts";

const SYNCS = 500;
const STEPS = 1_000;
const MANY = { runs: 50, steps: 100 };
const POSTGRES_STEPS = 200;
const PEER_STEPS = 500;
const MANY_OF_PEER = { runs: 50, steps: 10 };
const WARM_UP = 50;

type Round = {
  readonly raw: number;
  readonly one: number;
  readonly many: number;
  readonly workflows: number;
  /** Rate of one run as a share of the disk's rate, measured right before and after it. */
  readonly ofDisk: number;
  /** In the order of the peers. */
  readonly peers: readonly { readonly one: number; readonly many: number }[];
};

export type StorageOrder = { readonly dir: string; readonly postgres: TestPostgres; readonly rounds: number };

/** Disk speed varies: every figure is compared with its neighbors of the same round, and the median round counts. */
export async function storageFigures(order: StorageOrder): Promise<Figure[]> {
  const { dir, postgres } = order;
  const plain = await plainDbos(await postgres.database("plain_beside"));
  const { peers, missing } = await startPeers(dir);
  const rounds: Round[] = [];
  // The first round of each is slower: code is compiled, pools are filled.
  await measureEmbedded(dir, { runs: 1, steps: WARM_UP });
  await plain.workflows(WARM_UP);
  for (const peer of peers) await peer.rate({ runs: 1, steps: WARM_UP });
  for (let n = 0; n < order.rounds; n += 1) {
    const before = rawSyncs(dir, SYNCS);
    const one = await measureEmbedded(dir, { runs: 1, steps: STEPS });
    const after = rawSyncs(dir, SYNCS);
    const many = await measureEmbedded(dir, MANY);
    const workflows = await plain.workflows(POSTGRES_STEPS);
    const raw = (before + after) / 2;
    rounds.push({ raw, one, many, workflows, ofDisk: one / raw, peers: await measureRates(peers) });
  }
  await plain.stop();
  for (const peer of peers) await peer.stop();
  const others = peers.map((peer, at) => {
    const rates = rounds.flatMap((round) => round.peers[at] ?? []);
    const [one, many] = [rates.map((rate) => rate.one), rates.map((rate) => rate.many)];
    return peerFigure(peer, { one, many }, MANY_OF_PEER.runs);
  });
  return [...toFigures(rounds), ...others, ...missing];
}

async function measureRates(peers: readonly Peer[]): Promise<Round["peers"]> {
  const rates = [];
  // Peers run one after the other because they share the disk.
  for (const peer of peers) {
    rates.push({ one: await peer.rate({ runs: 1, steps: PEER_STEPS }), many: await peer.rate(MANY_OF_PEER) });
  }
  return rates;
}

function toFigures(rounds: readonly Round[]): Figure[] {
  const mid = (of: (round: Round) => number) => median(rounds.map(of));
  const rate = (of: (round: Round) => number) => perSecond(mid(of));
  return [
    { name: "raw fdatasync of 200 bytes on the same disk", reached: rate((round) => round.raw) },
    atLeast({
      name: `durable steps of one run of ${STEPS}, embedded host, of the raw rate`,
      value: 100 * mid((round) => round.ofDisk),
      target: 60,
      unit: "%",
      from: rate((round) => round.one),
    }),
    atLeast({
      name: `${MANY.runs} runs at once, of one run's rate`,
      value: mid((round) => round.many / round.one),
      target: 10,
      unit: "×",
      from: rate((round) => round.many),
    }),
    atLeast({
      name: "durable steps of one run, embedded host, of plain DBOS on Postgres",
      value: mid((round) => round.one / round.workflows),
      target: 5,
      unit: "×",
      from: `plain DBOS, one workflow per effect: ${rate((round) => round.workflows)}`,
    }),
  ];
}

async function measureEmbedded(dir: string, at: { runs: number; steps: number }): Promise<number> {
  const folder = mkdtempSync(join(dir, "steps-"));
  const host = createSqliteHost({ file: join(folder, "signalbox.db"), world: createRealWorld() });
  const rate = await stepsPerSecond({ host, engine: await engineOn(host), ...at });
  await host.close();
  rmSync(folder, { recursive: true });
  return rate;
}
