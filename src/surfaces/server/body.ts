import { Refusal } from "./refusal.ts";

/** Notes, requests and queries stay far below this size. */
const MAX_BYTES = 1024 * 1024;
/** Code that reads and writes values recurses once per level. */
const MAX_LEVELS = 64;

/**
 * Reads a JSON object from the request body. The limits do not rely on the request's own headers. An empty body is an
 * empty object.
 */
export async function readBody(request: Request): Promise<Readonly<Record<string, unknown>>> {
  if (Number(request.headers.get("content-length") ?? 0) > MAX_BYTES) throw createSizeRefusal();
  const text = await readText(request);
  if (isDeep(text)) throw createDepthRefusal();
  const value: unknown = text.trim() === "" ? {} : parseJson(text);
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value };
  throw createJsonRefusal();
}

async function readText(request: Request): Promise<string> {
  const chunks: Uint8Array[] = [];
  let left = MAX_BYTES;
  try {
    for await (const chunk of request.body ?? []) {
      left -= chunk.length;
      if (left < 0) break;
      chunks.push(chunk);
    }
  } catch {
    // The client has disconnected.
    throw createAbortRefusal();
  }
  if (left < 0) throw createSizeRefusal();
  return Buffer.concat(chunks).toString("utf8");
}

/** Counts levels in the text, before it is parsed. Ignores brackets inside strings. */
function isDeep(text: string): boolean {
  let levels = 0;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"?|[[{\]}]/gs)) {
    if (token === "[" || token === "{") levels += 1;
    else if (token === "]" || token === "}") levels -= 1;
    if (levels > MAX_LEVELS) return true;
  }
  return false;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw createJsonRefusal();
  }
}

function createSizeRefusal(): Refusal {
  return new Refusal("TOO_LARGE", `The request is larger than ${MAX_BYTES / 1024} KiB.`, "Send a smaller request.");
}

function createDepthRefusal(): Refusal {
  return new Refusal(
    "REQUEST_INVALID",
    `The request has more than ${MAX_LEVELS} nested levels.`,
    "Reduce the nesting.",
  );
}

function createAbortRefusal(): Refusal {
  return new Refusal("REQUEST_INVALID", "The request body ended early.", "Send it again.");
}

function createJsonRefusal(): Refusal {
  return new Refusal("REQUEST_INVALID", "The request body is not a JSON object.", "See GET /api/openapi.json.");
}
