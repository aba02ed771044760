import { readFileSync } from "node:fs";
import { availableParallelism, loadavg, release, totalmem, type } from "node:os";
import pg from "pg";

/** Returns the facts that the figures depend on, without anything that identifies the machine. */
export async function machineFacts(dir: string, postgresUrl: string): Promise<readonly string[]> {
  return [
    `${availableParallelism()} cores, ${Math.round(totalmem() / 1024 ** 3)} GiB of memory, ${load()}`,
    `${type()} ${release()}, disk figures on ${findFilesystem(dir)}`,
    `Node ${process.versions.node}, SQLite ${process.versions["sqlite"]}, Postgres ${await readPostgresVersion(postgresUrl)}`,
  ];
}

/** Load before the benchmark: under load only the ratios of the figures mean something. */
function load(): string {
  return `load ${(loadavg()[1] ?? 0).toFixed(1)} when it began`;
}

/** Returns the file system of the folder's mount point. */
function findFilesystem(dir: string): string {
  try {
    const mounts = readFileSync("/proc/self/mounts", "utf8").trim().split("\n");
    const around = mounts
      .map((line) => line.split(" "))
      .filter(([, at = ""]) => dir === at || dir.startsWith(at.endsWith("/") ? at : `${at}/`))
      .sort(([, a = ""], [, b = ""]) => a.length - b.length);
    return around.at(-1)?.[2] ?? "an unknown filesystem";
  } catch {
    return "an unknown filesystem";
  }
}

async function readPostgresVersion(connectionString: string): Promise<string> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const { rows } = await client.query<{ server_version: string }>("SHOW server_version");
    return rows[0]?.server_version ?? "unknown";
  } finally {
    await client.end();
  }
}
