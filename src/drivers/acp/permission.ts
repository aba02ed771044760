import { placeInside } from "../inside.ts";
import { objectOf } from "../object-of.ts";
import { invalidParams } from "./peer.ts";

export type PermissionReply = {
  readonly response: {
    readonly outcome: { readonly outcome: "selected"; readonly optionId: string } | { readonly outcome: "cancelled" };
  };
  /** What it wanted to use, in its own words. */
  readonly tool: string;
  readonly refused?: string;
};

/**
 * Nobody is there to be asked: a tool that names no file, or only files of the attempt's folder, is allowed this once;
 * any other is refused. Commands name none: what they may touch is the sandbox's business.
 */
export function rule(request: unknown, folder: string): PermissionReply {
  const { toolCall, options } = objectOf(request);
  if (!Array.isArray(options)) throw invalidParams("a question has options");
  const { title } = objectOf(toolCall);
  const tool = typeof title === "string" ? title : "a tool";
  const outside = pathsOf(toolCall).find((path) => placeInside(folder, path) === undefined);
  const wanted = outside === undefined ? ["allow_once", "allow_always"] : ["reject_once", "reject_always"];
  const offered = options.map(objectOf);
  const optionId = wanted.flatMap((kind) => offered.filter((each) => each["kind"] === kind))[0]?.["optionId"];
  const refused = outside === undefined ? {} : { refused: `${outside} is outside the folder of this attempt` };
  if (typeof optionId !== "string")
    return { response: { outcome: { outcome: "cancelled" } }, tool, refused: refused.refused ?? "no way to allow it" };
  return { response: { outcome: { outcome: "selected", optionId } }, tool, ...refused };
}

/** Where programs put the path of the file that a tool is about. */
const NAMES = ["path", "file_path", "filePath", "absolute_path", "abs_path", "filepath", "notebook_path", "dir_path"];

function pathsOf(toolCall: unknown): readonly string[] {
  const { locations, content, rawInput } = objectOf(toolCall);
  const located = listOf(locations).map(({ path }) => path);
  const changed = listOf(content).flatMap((each) => (each["type"] === "diff" ? [each["path"]] : []));
  const input = objectOf(rawInput);
  const named = NAMES.map((name) => input[name]);
  return [...located, ...changed, ...named].filter((value) => typeof value === "string");
}

function listOf(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.map(objectOf) : [];
}
