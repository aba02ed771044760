// Makes an empty clone ready: installs exactly what the lock file says, once per lock file.
// Plain JavaScript for the oldest Node that may start it; nothing here needs an installed package.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";

const stamp = "node_modules/.signalbox-lock";
const lock = readFileSync("package-lock.json", "utf8");
if (!existsSync(stamp) || readFileSync(stamp, "utf8") !== lock) {
  console.log("Installing the project's packages (once) …");
  const npm = spawnSync("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], { stdio: "inherit" });
  if (npm.status !== 0) {
    console.error("npm ci failed: see its message above. Nothing was run.");
    process.exit(npm.status ?? 1);
  }
  writeFileSync(stamp, lock);
}
