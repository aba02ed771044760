import { resolveWithin } from "../resolve-within.ts";
import type { ToolRequest } from "./control.ts";

/** Tools that touch only the file they name. For other tools the input does not tell. */
const FILE_TOOLS = ["Read", "Edit", "Write", "NotebookEdit"];
const PATH_FIELDS = ["file_path", "notebook_path"];

/**
 * Returns why a tool is refused; undefined if it is allowed. No person is present, so files of the attempt's folder may
 * be used, except those that Claude Code considers dangerous (its own settings, git's). Commands were either allowed
 * before or are refused.
 */
export function findRefusal(request: ToolRequest, folder: string): string | undefined {
  const { tool_name: tool, input, blocked_path: blocked, decision_reason: reason } = request;
  if (request.decision_reason_type === "safetyCheck") return reason ?? `${tool} is not safe here`;
  const named = PATH_FIELDS.map((name) => input[name]).filter((value) => typeof value === "string");
  if (!FILE_TOOLS.includes(tool) || named.length === 0) return reason ?? `${tool} is not allowed for this agent`;
  const paths = blocked === undefined ? named : [...named, blocked];
  const outside = paths.find((path) => resolveWithin(folder, path) === undefined);
  return outside === undefined ? undefined : `${outside} is outside the folder of this attempt`;
}
