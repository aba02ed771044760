import type { AgentEvent } from "../core/ports/driver.ts";
import { createAcpReader } from "./acp/acp-reader.ts";
import { AcpProfile } from "./acp/profile.ts";
import { createClaudeReader } from "./claude/claude-reader.ts";
import { createCodexReader } from "./codex/codex-reader.ts";
import { parseEvents } from "./scripted/scripted-events.ts";
import type { Reader } from "./turn.ts";

/** Renders an agent program's output for people; protocol lines without readable content are skipped. */
export type Transcript = {
  lines(raw: string): readonly string[];
  /** The same content as typed entries. */
  entries(raw: string): readonly TranscriptEntry[];
};

/** `raw`: a line outside any protocol. */
export type TranscriptEntry = { readonly kind: "message" | "tool" | "raw"; readonly text: string };

/**
 * Detects the protocol of the lines: the first reader that recognizes one reads the rest. Lines outside any protocol
 * stay unchanged. `begun`: the first lines are missing.
 */
export function createTranscript({ begun = false }: { readonly begun?: boolean } = {}): Transcript {
  const readers = READERS.map((create) => create());
  // The ACP reader ignores messages before this line of the client.
  if (begun) for (const reader of readers) reader.line?.(PROMPTING);
  let known: Pick<Reader, "line"> | undefined;
  const readEntries = (raw: string): readonly TranscriptEntry[] => {
    if (!raw.startsWith("{")) return raw.trim() === "" ? [] : [{ kind: "raw", text: raw }];
    const read = (known ? [known] : readers).map((reader) => ({ reader, events: reader.line?.(raw) ?? [] }));
    const match = read.find(({ events }) => events.length > 0);
    known ??= match?.reader;
    return match?.events.flatMap(toEntries) ?? toUnreadEntry(raw, known !== undefined);
  };
  return { entries: readEntries, lines: (raw) => readEntries(raw).flatMap(formatEntry) };
}

function formatEntry({ kind, text }: TranscriptEntry): readonly string[] {
  if (kind === "tool") return [`· ${text}`];
  return kind === "raw" ? [text] : text.split("\n");
}

const READERS: readonly (() => Pick<Reader, "line">)[] = [
  () => ({ line: parseEvents }),
  () => createClaudeReader("agent"),
  () => createCodexReader("agent", () => undefined),
  () => createAcpReader("agent", AcpProfile.parse({ command: "agent" })),
];

const PROMPTING = '{"client":"prompting"}';

/** A protocol line of an agent program. Plain JSON has none of these prefixes. */
const isProtocol = (raw: string): boolean => /^\{"(?:type|client|jsonrpc)":"/.test(raw);

function toUnreadEntry(raw: string, known: boolean): readonly TranscriptEntry[] {
  const error = ERROR.exec(raw)?.[1];
  if (error !== undefined) return [{ kind: "message", text: `! ${JSON.parse(error)}` }];
  return known || isProtocol(raw) ? [] : [{ kind: "raw", text: raw }];
}

const ERROR = /^\{"type":"error","message":("(?:[^"\\]|\\.)*")/;

function toEntries(event: AgentEvent): readonly TranscriptEntry[] {
  switch (event.type) {
    case "message.added":
      return [{ kind: "message", text: event.text.trimEnd() }];
    case "tool.used":
      return [{ kind: "tool", text: `${event.name}${formatDetail(event.detail)}` }];
    case "turn.throttled":
      return [{ kind: "message", text: `! ${event.message}` }];
    default:
      return [];
  }
}

function formatDetail(detail: string | undefined): string {
  return detail === undefined ? "" : `: ${detail.replace(/\s+/g, " ").slice(0, 200)}`;
}
