import { rmSync, symlinkSync } from "node:fs";

/**
 * Links the login instead of copying it: agents renew a login in place, and renewing a copy would invalidate the
 * original.
 */
export function linkLogin(target: string, path: string): void {
  rmSync(path, { force: true });
  symlinkSync(target, path);
}
