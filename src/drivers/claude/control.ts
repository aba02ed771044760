import { MOST_LINE_BYTES } from "../agent-process.ts";
import { toObject } from "../to-object.ts";

/** A request for a tool that Claude Code's own rules do not allow. */
export type ToolRequest = {
  readonly tool_name: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** The reason for the request, if given. */
  readonly decision_reason?: string;
  readonly decision_reason_type?: string;
  readonly blocked_path?: string;
};

/** Messages that the client must react to. */
export type ControlMessage =
  | { readonly kind: "tool wanted"; readonly id: string; readonly request: ToolRequest }
  | { readonly kind: "asked"; readonly id: string }
  | { readonly kind: "last word" };

/** Extracts control messages from complete lines. Most lines are irrelevant and are not parsed. */
export function parseControls(lines: Buffer): readonly ControlMessage[] {
  if (lines.length < MOST_LINE_BYTES && !MARKS.some((name) => lines.includes(name))) return [];
  const texts = lines.toString("utf8").split("\n");
  return texts.map(parseControl).filter((control) => control !== undefined);
}

const MARKS = ["control_request", "result"];

function parseControl(line: string): ControlMessage | undefined {
  const value = parseControlJson(line);
  if (value === undefined) return line.length < LONG ? undefined : parseLongLine(line);
  const { type, request_id: id, request } = toObject(value);
  if (type === "result") return { kind: "last word" };
  if (type !== "control_request" || typeof id !== "string") return undefined;
  const wanted = parseToolRequest(request);
  return wanted ? { kind: "tool wanted", id, request: wanted } : { kind: "asked", id };
}

function parseToolRequest(request: unknown): ToolRequest | undefined {
  const { subtype, tool_name, input, ...about } = toObject(request);
  if (subtype !== "can_use_tool" || typeof tool_name !== "string") return undefined;
  if (typeof input !== "object" || input === null || Array.isArray(input)) return undefined;
  const reasons = REASONS.flatMap((name) => (about[name] === undefined ? [] : [[name, about[name]] as const]));
  if (reasons.some(([, reason]) => typeof reason !== "string")) return undefined;
  return { tool_name, input: toObject(input), ...Object.fromEntries(reasons) };
}

const REASONS = ["decision_reason", "decision_reason_type", "blocked_path"] as const;

/** A piece of a truncated line; characters may take several bytes. */
const LONG = MOST_LINE_BYTES / 4;

/**
 * Every line except the result starts with its type. Requests must be answered, because Claude Code would wait for
 * ever.
 */
function parseLongLine(piece: string): ControlMessage | undefined {
  const id = /^\{"type":"control_request","request_id":"([^"]+)"/.exec(piece)?.[1];
  if (id !== undefined) return { kind: "asked", id };
  return piece.startsWith('{"type":') ? undefined : { kind: "last word" };
}

function parseControlJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

export const createUserMessage = (text: string) => ({
  type: "user",
  message: { role: "user", content: [{ type: "text", text }] },
});

export const INTERRUPT = {
  type: "control_request",
  request_id: "interrupt",
  request: { subtype: "interrupt" },
};

/** Allows the tool with its input, or refuses it with a reason that the model sees. */
export function createToolAnswer(id: string, { input }: ToolRequest, refused: string | undefined): unknown {
  const response =
    refused === undefined ? { behavior: "allow", updatedInput: input } : { behavior: "deny", message: refused };
  return { type: "control_response", response: { subtype: "success", request_id: id, response } };
}

export function createErrorAnswer(id: string): unknown {
  return {
    type: "control_response",
    response: { subtype: "error", request_id: id, error: "No handler for this request." },
  };
}
