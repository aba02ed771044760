import { placeInside } from "../inside.ts";
import type { ToolRequest } from "./control.ts";

/** Tools that touch the one file that they name. What others touch cannot be told from their input. */
const FILE_TOOLS = ["Read", "Edit", "Write", "NotebookEdit"];
const NAMES = ["file_path", "notebook_path"];

/**
 * Why a tool is refused; undefined where it is allowed. Nobody is there to be asked: files of the attempt's folder may
 * be used, except for those that Claude Code itself holds dangerous (its own settings, git's). Commands and the like
 * were allowed before it asks, or not at all.
 */
export function refusalOf(request: ToolRequest, folder: string): string | undefined {
  const { tool_name: tool, input, blocked_path: blocked, decision_reason: reason } = request;
  if (request.decision_reason_type === "safetyCheck") return reason ?? `${tool} is not safe here`;
  const named = NAMES.map((name) => input[name]).filter((value) => typeof value === "string");
  if (!FILE_TOOLS.includes(tool) || named.length === 0) return reason ?? `${tool} was not allowed to this agent`;
  const paths = blocked === undefined ? named : [...named, blocked];
  const outside = paths.find((path) => placeInside(folder, path) === undefined);
  return outside === undefined ? undefined : `${outside} is outside the folder of this attempt`;
}
