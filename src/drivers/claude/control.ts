import { z } from "zod";
import { MOST_LINE_BYTES } from "../agent-process.ts";

/** Claude Code wants to use a tool that its own rules do not simply allow. */
const ToolRequest = z.object({
  subtype: z.literal("can_use_tool"),
  tool_name: z.string(),
  input: z.record(z.string(), z.unknown()),
  /** Why it asks, where it says so. */
  decision_reason: z.string().optional(),
  decision_reason_type: z.string().optional(),
  blocked_path: z.string().optional(),
});
export type ToolRequest = z.infer<typeof ToolRequest>;

const Line = z.union([
  z.object({ type: z.literal("control_request"), request_id: z.string(), request: ToolRequest }),
  z.object({ type: z.literal("control_request"), request_id: z.string() }),
  z.object({ type: z.literal("result") }),
]);

/** Not by a failed parse: most lines are of no interest, and the errors of a flood of them fill the memory. */
const Known = Line.optional().catch(undefined);

/** What a client must react to. */
export type Control =
  | { readonly kind: "tool wanted"; readonly id: string; readonly request: ToolRequest }
  | { readonly kind: "asked"; readonly id: string }
  | { readonly kind: "last word" };

/** In whole lines as they come; most of them are about something else, and are not even read. */
export function controlsIn(lines: Buffer): readonly Control[] {
  if (lines.length < MOST_LINE_BYTES && !NAMES.some((name) => lines.includes(name))) return [];
  const texts = lines.toString("utf8").split("\n");
  return texts.map(controlOf).filter((control) => control !== undefined);
}

const NAMES = ["control_request", "result"];

function controlOf(line: string): Control | undefined {
  const value = parsed(line);
  if (value === undefined) return line.length < LONG ? undefined : ofLongLine(line);
  const said = Known.parse(value);
  if (said === undefined) return undefined;
  if (said.type === "result") return { kind: "last word" };
  const id = said.request_id;
  return "request" in said ? { kind: "tool wanted", id, request: said.request } : { kind: "asked", id };
}

/** A piece of a line that was cut; letters can take several bytes. */
const LONG = MOST_LINE_BYTES / 4;

/** Every line but the result begins with its type; whoever waits for an answer that never comes waits for ever. */
function ofLongLine(piece: string): Control | undefined {
  const id = /^\{"type":"control_request","request_id":"([^"]+)"/.exec(piece)?.[1];
  if (id !== undefined) return { kind: "asked", id };
  return piece.startsWith('{"type":') ? undefined : { kind: "last word" };
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

export const userMessage = (text: string) => ({
  type: "user",
  message: { role: "user", content: [{ type: "text", text }] },
});

export const INTERRUPT = {
  type: "control_request",
  request_id: "interrupt",
  request: { subtype: "interrupt" },
};

/** Allowed as it was asked for, or refused for a reason that the model is told. */
export function toolAnswer(id: string, { input }: ToolRequest, refused: string | undefined): unknown {
  const response =
    refused === undefined ? { behavior: "allow", updatedInput: input } : { behavior: "deny", message: refused };
  return { type: "control_response", response: { subtype: "success", request_id: id, response } };
}

export function noAnswer(id: string): unknown {
  return { type: "control_response", response: { subtype: "error", request_id: id, error: "Nobody can answer this." } };
}
