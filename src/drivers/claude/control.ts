import { MOST_LINE_BYTES } from "../agent-process.ts";
import { objectOf } from "../object-of.ts";

/** Claude Code wants to use a tool that its own rules do not simply allow. */
export type ToolRequest = {
  readonly tool_name: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Why it asks, where it says so. */
  readonly decision_reason?: string;
  readonly decision_reason_type?: string;
  readonly blocked_path?: string;
};

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
  const { type, request_id: id, request } = objectOf(value);
  if (type === "result") return { kind: "last word" };
  if (type !== "control_request" || typeof id !== "string") return undefined;
  const wanted = toolRequestIn(request);
  return wanted ? { kind: "tool wanted", id, request: wanted } : { kind: "asked", id };
}

function toolRequestIn(request: unknown): ToolRequest | undefined {
  const { subtype, tool_name, input, ...about } = objectOf(request);
  if (subtype !== "can_use_tool" || typeof tool_name !== "string") return undefined;
  if (typeof input !== "object" || input === null || Array.isArray(input)) return undefined;
  const reasons = REASONS.flatMap((name) => (about[name] === undefined ? [] : [[name, about[name]] as const]));
  if (reasons.some(([, reason]) => typeof reason !== "string")) return undefined;
  return { tool_name, input: objectOf(input), ...Object.fromEntries(reasons) };
}

const REASONS = ["decision_reason", "decision_reason_type", "blocked_path"] as const;

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
