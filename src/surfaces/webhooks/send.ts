import { buildMessageBody, buildMessageHeaders, type MessageKind } from "./message.ts";
import type { Notice } from "./notice.ts";

/** A webhook receiver, with data that only the sending process may know. */
export type WebhookReceiver = {
  readonly kind: MessageKind;
  readonly url: string;
  readonly secret: string | undefined;
};

/** The result of one attempt. `says` never contains the address or the response. */
export type SendResult =
  | { readonly is: "delivered"; readonly says: string }
  | { readonly is: "refused"; readonly says: string }
  | { readonly is: "unreached"; readonly says: string; readonly againAfterMs?: number };

const TIMEOUT_MS = 10_000;
const MAX_WAIT_MS = 3_600_000;

export async function sendNotice(receiver: WebhookReceiver, notice: Notice, id: string): Promise<SendResult> {
  const { kind, url, secret } = receiver;
  const body = buildMessageBody(kind, notice, id);
  try {
    const response = await fetch(url, {
      method: "POST",
      body,
      headers: buildMessageHeaders({ id, body, secret }, Date.now()),
      // A redirect target is not the address that the user approved.
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await response.body?.cancel();
    return toSendResult(response);
  } catch (error) {
    return { is: "unreached", says: getFailureReason(error) };
  }
}

function toSendResult({ status, headers }: Response): SendResult {
  const says = `HTTP ${status}`;
  if (status >= 200 && status < 300) return { is: "delivered", says };
  if (status !== 408 && status !== 425 && status !== 429 && status < 500) return { is: "refused", says };
  const seconds = Number(headers.get("retry-after") ?? Number.NaN);
  if (!(seconds > 0)) return { is: "unreached", says };
  return { is: "unreached", says, againAfterMs: Math.min(seconds * 1000, MAX_WAIT_MS) };
}

/** Returns the system's error code, such as ECONNREFUSED. A message could repeat the address. */
function getFailureReason(error: unknown): string {
  if (error instanceof Error && error.name === "TimeoutError") return `no answer in ${TIMEOUT_MS / 1000} s`;
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  return /^[A-Z][A-Z0-9_]{2,60}$/.test(code) ? code : "connection failed";
}
