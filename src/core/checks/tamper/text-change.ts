import type { Finding } from "../../authoring/finding.ts";
import type { Change } from "../../authoring/observations.ts";

/** Change with its texts; a side is absent if there is no file, or no text. */
export type TextChange = Change & { readonly before?: string | undefined; readonly after?: string | undefined };

/** Creates a gate-level finding: open until a person, or a line of the team's policy, decides. */
export function createTamperFinding(path: string, what: string): Finding {
  return { severity: "critical", message: `${path} ${what}`, files: [path], by: "tamper" };
}
