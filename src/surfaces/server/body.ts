import { Refusal } from "./refusal.ts";

/** A note, a request, a query: nobody types more. */
const MOST_BYTES = 1024 * 1024;
/** What reads and writes values calls itself once for each level. */
const MOST_LEVELS = 64;

/** What was sent, within bounds that do not depend on what it says of itself. Nothing is an empty object. */
export async function readBody(request: Request): Promise<Readonly<Record<string, unknown>>> {
  if (Number(request.headers.get("content-length") ?? 0) > MOST_BYTES) throw tooLarge();
  const text = await textOf(request);
  if (isDeep(text)) throw tooDeep();
  const value: unknown = text.trim() === "" ? {} : parsed(text);
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value };
  throw unreadable();
}

async function textOf(request: Request): Promise<string> {
  const chunks: Uint8Array[] = [];
  let left = MOST_BYTES;
  try {
    for await (const chunk of request.body ?? []) {
      left -= chunk.length;
      if (left < 0) break;
      chunks.push(chunk);
    }
  } catch {
    // Whoever asked has left: that is nobody's fault here.
    throw brokenOff();
  }
  if (left < 0) throw tooLarge();
  return Buffer.concat(chunks).toString("utf8");
}

/** Told from the text, before anything is made of it; brackets inside of strings are none. */
function isDeep(text: string): boolean {
  let levels = 0;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"?|[[{\]}]/gs)) {
    if (token === "[" || token === "{") levels += 1;
    else if (token === "]" || token === "}") levels -= 1;
    if (levels > MOST_LEVELS) return true;
  }
  return false;
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

function tooDeep(): Refusal {
  return new Refusal(
    "REQUEST_INVALID",
    `The request has more than ${MOST_LEVELS} levels inside each other.`,
    "Send something flatter.",
  );
}

function brokenOff(): Refusal {
  return new Refusal("REQUEST_INVALID", "The request broke off before its end.", "Send it again.");
}

function unreadable(): Refusal {
  return new Refusal("REQUEST_INVALID", "The request is no JSON object.", "See GET /api/openapi.json.");
}
