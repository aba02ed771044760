import { resolveWithin } from "../resolve-within.ts";
import { toObject } from "../to-object.ts";
import { createInvalidParamsError } from "./peer.ts";

export type PermissionReply = {
  readonly response: {
    readonly outcome: { readonly outcome: "selected"; readonly optionId: string } | { readonly outcome: "cancelled" };
  };
  /** The tool, as the request names it. */
  readonly tool: string;
  readonly refused?: string;
};

/**
 * Answers a permission request, because no person is present. A tool that names no file, or only files of the attempt's
 * folder, is allowed once; any other is refused. Commands name no files, so the sandbox restricts them.
 */
export function decidePermission(request: unknown, folder: string): PermissionReply {
  const { toolCall, options } = toObject(request);
  if (!Array.isArray(options)) throw createInvalidParamsError("a permission request needs options");
  const { title } = toObject(toolCall);
  const tool = typeof title === "string" ? title : "a tool";
  const outside = listPaths(toolCall).find((path) => resolveWithin(folder, path) === undefined);
  const wanted = outside === undefined ? ["allow_once", "allow_always"] : ["reject_once", "reject_always"];
  const offered = options.map(toObject);
  const optionId = wanted.flatMap((kind) => offered.filter((each) => each["kind"] === kind))[0]?.["optionId"];
  const refused = outside === undefined ? {} : { refused: `${outside} is outside the folder of this attempt` };
  if (typeof optionId !== "string")
    return {
      response: { outcome: { outcome: "cancelled" } },
      tool,
      refused: refused.refused ?? "the request offers no way to refuse",
    };
  return { response: { outcome: { outcome: "selected", optionId } }, tool, ...refused };
}

/** Input fields in which programs put the path of a tool's file. */
const PATH_FIELDS = [
  "path",
  "file_path",
  "filePath",
  "absolute_path",
  "abs_path",
  "filepath",
  "notebook_path",
  "dir_path",
];

function listPaths(toolCall: unknown): readonly string[] {
  const { locations, content, rawInput } = toObject(toolCall);
  const located = toObjects(locations).map(({ path }) => path);
  const changed = toObjects(content).flatMap((each) => (each["type"] === "diff" ? [each["path"]] : []));
  const input = toObject(rawInput);
  const named = PATH_FIELDS.map((name) => input[name]);
  return [...located, ...changed, ...named].filter((value) => typeof value === "string");
}

function toObjects(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.map(toObject) : [];
}
