import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Repository } from "./corpus.ts";
import { git } from "./git.ts";

const LATEST_MS = 300_000;

/** Checks whether the commands of a commit pass without the engine; refusing such a commit is a mistake. */
export function passesAlone({ dir, setup, commands }: Repository, hash: string, folder: string): boolean {
  const place = mkdtempSync(join(folder, "alone-"));
  try {
    git(folder, "clone", "-q", "--shared", "--no-checkout", dir, place);
    git(place, "checkout", "-q", "--detach", hash);
    return [...(setup ? [setup] : []), ...commands].every(({ run }) => {
      const env = { ...process.env, CI: "true", NO_COLOR: "1" };
      return spawnSync("sh", ["-c", run], { cwd: place, env, stdio: "ignore", timeout: LATEST_MS }).status === 0;
    });
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}
