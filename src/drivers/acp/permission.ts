import type { RequestPermissionRequest, RequestPermissionResponse } from "@agentclientprotocol/sdk";
import { placeInside } from "../inside.ts";

export type PermissionReply = { readonly response: RequestPermissionResponse; readonly refused?: string };

/**
 * Nobody is there to be asked: a tool that names no file, or only files of the attempt's folder, is allowed this once;
 * any other is refused. Commands name none: what they may touch is the sandbox's business.
 */
export function rule(request: RequestPermissionRequest, folder: string): PermissionReply {
  const outside = pathsOf(request.toolCall).find((path) => placeInside(folder, path) === undefined);
  const wanted = outside === undefined ? ["allow_once", "allow_always"] : ["reject_once", "reject_always"];
  const option = wanted.flatMap((kind) => request.options.filter((each) => each.kind === kind))[0];
  const refused = outside === undefined ? {} : { refused: `${outside} is outside the folder of this attempt` };
  if (!option)
    return { response: { outcome: { outcome: "cancelled" } }, refused: refused.refused ?? "no way to allow it" };
  return { response: { outcome: { outcome: "selected", optionId: option.optionId } }, ...refused };
}

/** Where programs put the path of the file that a tool is about. */
const NAMES = ["path", "file_path", "filePath", "absolute_path", "abs_path", "filepath", "notebook_path", "dir_path"];

function pathsOf({ locations, content, rawInput }: RequestPermissionRequest["toolCall"]): readonly string[] {
  const located = (locations ?? []).map(({ path }) => path);
  const changed = (content ?? []).flatMap((each) => (each.type === "diff" ? [each.path] : []));
  const input: Readonly<Record<string, unknown>> =
    typeof rawInput === "object" && rawInput !== null ? { ...rawInput } : {};
  const named = NAMES.map((name) => input[name]).filter((value) => typeof value === "string");
  return [...located, ...changed, ...named];
}
