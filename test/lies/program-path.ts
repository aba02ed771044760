import { execFileSync } from "node:child_process";
import { dirname, resolve } from "node:path";

/** PATH for entries: this Node, the user's programs, the real Rust programs (rustup's need the user's home), then tsc. */
export const PROGRAM_PATH = [
  dirname(process.execPath),
  ...findRust(),
  process.env["PATH"] ?? "",
  resolve(import.meta.dirname, "../../node_modules/.bin"),
].join(":");

function findRust(): readonly string[] {
  try {
    return [dirname(execFileSync("rustup", ["which", "cargo"], { encoding: "utf8" }).trim())];
  } catch {
    return [];
  }
}
