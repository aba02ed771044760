import { userInfo } from "node:os";

/** Who decides; an account without a name is named by its number. */
export function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? "unknown"}`;
  }
}
