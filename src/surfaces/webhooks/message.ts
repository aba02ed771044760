import { createHmac } from "node:crypto";
import { STATES, type StateName } from "../../views/states.ts";
import type { Notice, NoticeEvent } from "./notice.ts";

export const MESSAGE_KINDS = ["json", "slack"] as const;
export type MessageKind = (typeof MESSAGE_KINDS)[number];

/** Builds the body. It is identical for every attempt, so that a receiver can compare repeats. */
export function buildMessageBody(kind: MessageKind, notice: Notice, id: string): string {
  return JSON.stringify(kind === "slack" ? buildSlackMessage(notice) : buildJsonMessage(notice, id));
}

function buildJsonMessage({ at, ...notice }: Notice, id: string) {
  return { v: 1, id, at: new Date(at).toISOString(), ...notice };
}

/**
 * The state of a notice that has none, from an earlier version. It is never green, because the outcome is not known.
 */
const DEFAULT_STATES = {
  waiting: "waiting",
  finished: "ended",
  suspended: "paused",
  failed: "error",
} as const satisfies Readonly<Record<NoticeEvent, StateName>>;

/**
 * Builds a Slack message. Text that agents may have written is plain text, which Slack does not turn into links or
 * mentions. Commands are in a verbatim code block.
 */
function buildSlackMessage({
  event,
  state = DEFAULT_STATES[event],
  repository,
  pipeline,
  run,
  needs,
  title,
  because,
  next,
}: Notice) {
  const head = `${STATES[state].glyph} ${repository}: ${title}`;
  const about = `${because}\n${pipeline} ${run} · needs ${needs}`;
  return {
    // Mobile notifications display this text.
    text: escapeSlack(head),
    parse: "none",
    link_names: false,
    unfurl_links: false,
    unfurl_media: false,
    blocks: [
      { type: "section", text: toPlainText(head) },
      { type: "context", elements: [toPlainText(about)] },
      ...(next.length === 0 ? [] : [{ type: "section", text: toCodeBlock(next) }]),
    ],
  };
}

function toPlainText(text: string) {
  return { type: "plain_text", text, emoji: false };
}

function toCodeBlock(lines: readonly string[]) {
  // A backtick would end the code block.
  const text = lines.map((line) => escapeSlack(line.replaceAll("`", "ˋ"))).join("\n");
  return { type: "mrkdwn", text: `\`\`\`${text}\`\`\``, verbatim: true };
}

/** Escapes the three control characters of Slack, so that text cannot create links or mentions. */
function escapeSlack(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

export type Signing = { readonly id: string; readonly body: string; readonly secret: string | undefined };

/**
 * Builds the headers. A repeat has the same idempotency key. The signature follows Standard Webhooks: id, time and
 * body.
 */
export function buildMessageHeaders({ id, body, secret }: Signing, now: number): Record<string, string> {
  const time = String(Math.floor(now / 1000));
  const named = { "content-type": "application/json", "idempotency-key": id, "webhook-id": id };
  if (secret === undefined) return { ...named, "webhook-timestamp": time };
  const signature = createHmac("sha256", decodeSecret(secret)).update(`${id}.${time}.${body}`).digest("base64");
  return { ...named, "webhook-timestamp": time, "webhook-signature": `v1,${signature}` };
}

const PREFIX = "whsec_";

function decodeSecret(secret: string): Buffer {
  return secret.startsWith(PREFIX) ? Buffer.from(secret.slice(PREFIX.length), "base64") : Buffer.from(secret);
}
