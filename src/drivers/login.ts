import { rmSync, symlinkSync } from "node:fs";

/** A link instead of a copy: agents renew a login in place, and a renewed copy would make the original worthless. */
export function linkLogin(target: string, path: string): void {
  rmSync(path, { force: true });
  symlinkSync(target, path);
}
