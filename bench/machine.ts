import { readFileSync } from "node:fs";
import { availableParallelism, loadavg, release, totalmem, type } from "node:os";
import pg from "pg";

/** What the figures depend on, and nothing that says whose machine it is. */
export async function machineFacts(dir: string, postgresUrl: string): Promise<readonly string[]> {
  return [
    `${availableParallelism()} cores, ${Math.round(totalmem() / 1024 ** 3)} GiB of memory, ${load()}`,
    `${type()} ${release()}, disk figures on ${filesystemOf(dir)}`,
    `Node ${process.versions.node}, SQLite ${process.versions["sqlite"]}, Postgres ${await postgresVersion(postgresUrl)}`,
  ];
}

/** Of the minutes before: a figure that was taken beside other work is worth its ratios alone. */
function load(): string {
  return `load ${(loadavg()[1] ?? 0).toFixed(1)} when it began`;
}

/** Of the mount point that the folder lies under. */
function filesystemOf(dir: string): string {
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

async function postgresVersion(connectionString: string): Promise<string> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const { rows } = await client.query<{ server_version: string }>("SHOW server_version");
    return rows[0]?.server_version ?? "unknown";
  } finally {
    await client.end();
  }
}
