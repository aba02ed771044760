import { findCheckTool } from "../tamper/check-tool.ts";
import { splitSegments } from "../tamper/shell-line.ts";

/** Returns whether this line runs tests, judged by its name and its programs. */
export function isTestCommand({ name, run }: { readonly name: string; readonly run: string }): boolean {
  if (/(?:^|[^a-z])(?:tests?|spec|e2e|unit)(?:[^a-z]|$)/i.test(name)) return true;
  return splitSegments(run).some(({ words }) => findCheckTool(words)?.kind === "test");
}
