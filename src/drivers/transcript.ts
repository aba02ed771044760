import type { AgentEvent } from "../core/ports/driver.ts";
import { acpReader } from "./acp/acp-reader.ts";
import { AcpProfile } from "./acp/profile.ts";
import { claudeReader } from "./claude/claude-reader.ts";
import { codexReader } from "./codex/codex-reader.ts";
import { eventsSaid } from "./scripted/said.ts";
import type { Reader } from "./turn.ts";

/** What an agent program printed, as a person reads it; a line of its protocol that says nothing to people is none. */
export type Transcript = {
  lines(raw: string): readonly string[];
  /** The same in pieces that say what they are. */
  entries(raw: string): readonly TranscriptEntry[];
};

/** `raw`: a line of no protocol. */
export type TranscriptEntry = { readonly kind: "message" | "tool" | "raw"; readonly text: string };

/**
 * Reads whichever protocol the lines are of: the first reader that knows what one stands for reads the rest. Lines of no
 * protocol are left as they are. `begun`: the beginning is not among them.
 */
export function createTranscript({ begun = false }: { readonly begun?: boolean } = {}): Transcript {
  const readers = READERS.map((create) => create());
  // An ACP agent counts as spoken to only after this line of our client.
  if (begun) for (const reader of readers) reader.line?.(PROMPTING);
  let known: Pick<Reader, "line"> | undefined;
  const entries = (raw: string): readonly TranscriptEntry[] => {
    if (!raw.startsWith("{")) return raw.trim() === "" ? [] : [{ kind: "raw", text: raw }];
    const read = (known ? [known] : readers).map((reader) => ({ reader, events: reader.line?.(raw) ?? [] }));
    const said = read.find(({ events }) => events.length > 0);
    known ??= said?.reader;
    return said?.events.flatMap(entryOf) ?? unread(raw, known !== undefined);
  };
  return { entries, lines: (raw) => entries(raw).flatMap(linesIn) };
}

function linesIn({ kind, text }: TranscriptEntry): readonly string[] {
  if (kind === "tool") return [`· ${text}`];
  return kind === "raw" ? [text] : text.split("\n");
}

const READERS: readonly (() => Pick<Reader, "line">)[] = [
  () => ({ line: eventsSaid }),
  () => claudeReader("agent"),
  () => codexReader("agent", () => undefined),
  () => acpReader("agent", AcpProfile.parse({ command: "agent" })),
];

const PROMPTING = '{"client":"prompting"}';

/** A record of some agent program; whoever prints plain JSON has none of these. */
const isProtocol = (raw: string): boolean => /^\{"(?:type|client|jsonrpc)":"/.test(raw);

function unread(raw: string, known: boolean): readonly TranscriptEntry[] {
  const error = ERROR.exec(raw)?.[1];
  if (error !== undefined) return [{ kind: "message", text: `! ${JSON.parse(error)}` }];
  return known || isProtocol(raw) ? [] : [{ kind: "raw", text: raw }];
}

const ERROR = /^\{"type":"error","message":("(?:[^"\\]|\\.)*")/;

function entryOf(event: AgentEvent): readonly TranscriptEntry[] {
  switch (event.type) {
    case "message.added":
      return [{ kind: "message", text: event.text.trimEnd() }];
    case "tool.used":
      return [{ kind: "tool", text: `${event.name}${detailOf(event.detail)}` }];
    case "turn.throttled":
      return [{ kind: "message", text: `! ${event.message}` }];
    default:
      return [];
  }
}

function detailOf(detail: string | undefined): string {
  return detail === undefined ? "" : `: ${detail.replace(/\s+/g, " ").slice(0, 200)}`;
}
