import { toolOf } from "../tamper/check-tool.ts";
import { segmentsOf } from "../tamper/shell-line.ts";

/** Does this line run tests, as far as its name or its programs tell? */
export function isTestCommand({ name, run }: { readonly name: string; readonly run: string }): boolean {
  if (/(?:^|[^a-z])(?:tests?|spec|e2e|unit)(?:[^a-z]|$)/i.test(name)) return true;
  return segmentsOf(run).some(({ words }) => toolOf(words)?.kind === "test");
}
