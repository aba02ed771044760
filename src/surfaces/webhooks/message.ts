import { createHmac } from "node:crypto";
import { STATES, type StateName } from "../../views/states.ts";
import type { Notice, NoticeEvent } from "./notice.ts";

export const MESSAGE_KINDS = ["json", "slack"] as const;
export type MessageKind = (typeof MESSAGE_KINDS)[number];

/** The same bytes every time: a receiver may compare a repeat with what it has. */
export function messageBody(kind: MessageKind, notice: Notice, id: string): string {
  return JSON.stringify(kind === "slack" ? slackMessage(notice) : jsonMessage(notice, id));
}

function jsonMessage({ at, ...notice }: Notice, id: string) {
  return { v: 1, id, at: new Date(at).toISOString(), ...notice };
}

/** Of a letter that does not say how the run stands: green is only what is known to be. */
const UNSAID = {
  waiting: "waiting",
  finished: "ended",
  suspended: "paused",
  failed: "error",
} as const satisfies Readonly<Record<NoticeEvent, StateName>>;

/**
 * What agents may have written stands in plain text, which Slack neither links nor lets mention anybody; lines to type
 * stand in a code block that is taken literally.
 */
function slackMessage({
  event,
  state = UNSAID[event],
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
    // What a notification on a telephone shows.
    text: escaped(head),
    parse: "none",
    link_names: false,
    unfurl_links: false,
    unfurl_media: false,
    blocks: [
      { type: "section", text: plain(head) },
      { type: "context", elements: [plain(about)] },
      ...(next.length === 0 ? [] : [{ type: "section", text: code(next) }]),
    ],
  };
}

function plain(text: string) {
  return { type: "plain_text", text, emoji: false };
}

function code(lines: readonly string[]) {
  // A backtick would end the block.
  const text = lines.map((line) => escaped(line.replaceAll("`", "ˋ"))).join("\n");
  return { type: "mrkdwn", text: `\`\`\`${text}\`\`\``, verbatim: true };
}

/** Slack's own three: with them escaped no link and no mention can be written. */
function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

export type Signing = { readonly id: string; readonly body: string; readonly secret: string | undefined };

/** A repeat has the same key. The signature is that of Standard Webhooks, over id, time and body. */
export function messageHeaders({ id, body, secret }: Signing, now: number): Record<string, string> {
  const time = String(Math.floor(now / 1000));
  const named = { "content-type": "application/json", "idempotency-key": id, "webhook-id": id };
  if (secret === undefined) return { ...named, "webhook-timestamp": time };
  const signature = createHmac("sha256", keyOf(secret)).update(`${id}.${time}.${body}`).digest("base64");
  return { ...named, "webhook-timestamp": time, "webhook-signature": `v1,${signature}` };
}

const PREFIX = "whsec_";

function keyOf(secret: string): Buffer {
  return secret.startsWith(PREFIX) ? Buffer.from(secret.slice(PREFIX.length), "base64") : Buffer.from(secret);
}
