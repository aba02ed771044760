import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type Figure, median, perSecond } from "./figure.ts";
import { PAYLOAD } from "./steps.ts";

// Other durable engines on the same work, set up as their own documentation shows. They are no dependencies of ours:
// npm installs them into a folder of the benchmark, and an engine that cannot be installed is listed as such.

/** A program in `bench/peers`, and the packages that it needs. */
type PeerPackage = {
  readonly name: string;
  readonly program: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly overrides?: Readonly<Record<string, string>>;
};

const PEERS: readonly PeerPackage[] = [
  { name: "OpenWorkflow on SQLite", program: "open-workflow.mjs", dependencies: { openworkflow: "0.10.1" } },
  {
    name: "LangGraph with its SQLite checkpointer",
    program: "lang-graph.mjs",
    dependencies: {
      "@langchain/langgraph": "1.4.18",
      "@langchain/langgraph-checkpoint-sqlite": "1.0.4",
      "@langchain/core": "1.2.13",
    },
    overrides: {
      // Ships its native part instead of building it.
      "better-sqlite3": "13.0.3",
      // The requested version is newer than the published one.
      "@langchain/protocol": "0.0.19",
    },
  },
  {
    name: "Restate with its server",
    program: "restate.mjs",
    dependencies: { "@restatedev/restate-sdk": "1.17.2", "@restatedev/restate-server": "1.7.12" },
  },
];

type PeerLoad = { readonly runs: number; readonly steps: number };

export type Peer = {
  readonly name: string;
  /** Returns steps per second of this many parallel runs, with each step stored before the next starts. */
  rate(load: PeerLoad): Promise<number>;
  /** The durability that it promises, for the reader. */
  readonly promise: string;
  stop(): Promise<void>;
};

type InstalledPeers = { readonly peers: readonly Peer[]; readonly missing: readonly Figure[] };

/** Installs every peer that npm can install here. */
export async function startPeers(dir: string): Promise<InstalledPeers> {
  const [peers, missing]: [Peer[], Figure[]] = [[], []];
  for (const each of PEERS) {
    try {
      peers.push(await startPeer(each, join(dir, each.program)));
    } catch (error) {
      const [why = ""] = String(error instanceof Error ? error.message : error).split("\n");
      missing.push({ name: `durable steps of one run, ${each.name}`, reached: `not measured: ${why.slice(0, 120)}` });
    }
  }
  return { peers, missing };
}

type PeerRates = { readonly one: readonly number[]; readonly many: readonly number[] };

export function peerFigure(peer: Peer, { one, many }: PeerRates, runs: number): Figure {
  return {
    name: `durable steps of one run, ${peer.name}`,
    reached: `${perSecond(median(one))} (${runs} runs at once ${perSecond(median(many))}; ${peer.promise})`,
  };
}

const INSTALL_MS = 300_000;
const run = promisify(execFile);

async function startPeer({ name, program, ...needs }: PeerPackage, dir: string): Promise<Peer> {
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, "package.json"), JSON.stringify({ private: true, type: "module", ...needs }));
  const quietly = ["install", "--legacy-peer-deps", "--no-audit", "--no-fund", "--loglevel=error"];
  await run("npm", quietly, { cwd: dir, timeout: INSTALL_MS });
  cpSync(fileURLToPath(new URL(`./peers/${program}`, import.meta.url)), join(dir, program));
  const child = spawn(process.execPath, [program, JSON.stringify(PAYLOAD)], {
    cwd: dir,
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<string> => {
    const { done, value } = await lines.next();
    if (done) throw new Error(`${name} has ended`);
    return value;
  };
  const promise = await next();
  return {
    name,
    promise,
    async rate({ runs, steps }) {
      child.stdin.write(`${JSON.stringify({ runs, steps })}\n`);
      return Number(await next());
    },
    async stop() {
      child.stdin.end();
      if (child.exitCode === null) await once(child, "exit");
    },
  };
}
