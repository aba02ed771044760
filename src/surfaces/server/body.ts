import { Refusal } from "./refusal.ts";

/** A note, a request, a query: nobody types more. */
const MOST_BYTES = 1024 * 1024;

/** What was sent, within bounds that do not depend on what it says of itself. Nothing is an empty object. */
export async function readBody(request: Request): Promise<Readonly<Record<string, unknown>>> {
  if (Number(request.headers.get("content-length") ?? 0) > MOST_BYTES) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let left = MOST_BYTES;
  for await (const chunk of request.body ?? []) {
    left -= chunk.length;
    if (left < 0) throw tooLarge();
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString("utf8");
  const value: unknown = text.trim() === "" ? {} : parsed(text);
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value };
  throw unreadable();
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw unreadable();
  }
}

function tooLarge(): Refusal {
  return new Refusal("TOO_LARGE", `The request is larger than ${MOST_BYTES / 1024} KiB.`, "Send less.");
}

function unreadable(): Refusal {
  return new Refusal("REQUEST_INVALID", "The request is no JSON object.", "See GET /api/openapi.json.");
}
