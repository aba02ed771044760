import type { Finding } from "../finding.ts";

export function tamperFindings(_question: { readonly changes: readonly object[]; readonly protectedPaths: readonly string[] }): readonly Finding[] {
  return [];
}
