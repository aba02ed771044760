import type { Finding } from "../../authoring/finding.ts";
import type { Change } from "../../authoring/observations.ts";

/** A change with what it changed; a side is absent where there is no file, or none that is text. */
export type TextChange = Change & { readonly before?: string | undefined; readonly after?: string | undefined };

/** Gate level: open until a person, or a line of the team's policy, decides. */
export function tamperFinding(path: string, what: string): Finding {
  return { severity: "critical", message: `${path} ${what}`, files: [path], by: "tamper" };
}
