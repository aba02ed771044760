import { z } from "zod";
import { PAYLOAD_TYPE, Statement } from "./statement.ts";

const Envelope = z.strictObject({
  payload: z.base64().min(1),
  payloadType: z.literal(PAYLOAD_TYPE),
  signatures: z.array(z.strictObject({ keyid: z.string().min(1), sig: z.base64().min(1) })).length(1),
});

export type SignedStatement = {
  readonly statement: Statement;
  /** The exact bytes that were signed. */
  readonly pae: Buffer;
  readonly keyid: string;
  readonly signature: Buffer;
};

/** Returns the bytes that a DSSE signature covers. The lengths of type and payload prevent ambiguous encodings. */
export function encodePreAuthentication(payloadType: string, payload: Buffer): Buffer {
  const head = `DSSEv1 ${Buffer.byteLength(payloadType)} ${payloadType} ${payload.length} `;
  return Buffer.concat([Buffer.from(head), payload]);
}

export function formatEnvelope(
  payload: Buffer,
  { keyid, signature }: Pick<SignedStatement, "keyid" | "signature">,
): string {
  const signatures = [{ keyid, sig: signature.toString("base64") }];
  return `${JSON.stringify({ payload: payload.toString("base64"), payloadType: PAYLOAD_TYPE, signatures })}\n`;
}

/**
 * Parses a signed statement, or returns why the text is none. The text must be byte-identical to what we would write.
 */
export function parseEnvelope(text: string): SignedStatement | { readonly problem: string } {
  const envelope = Envelope.safeParse(parseJson(text));
  if (!envelope.success) return { problem: "it is not a DSSE envelope with one signature over an in-toto statement" };
  const { payload: encoded, payloadType, signatures } = envelope.data;
  const [{ keyid, sig } = { keyid: "", sig: "" }] = signatures;
  const [payload, signature] = [Buffer.from(encoded, "base64"), Buffer.from(sig, "base64")];
  if (formatEnvelope(payload, { keyid, signature }) !== text)
    return { problem: "the envelope is not in the format that signalbox writes: it was modified" };
  const statement = Statement.safeParse(parseJson(payload.toString("utf8")));
  if (!statement.success) return { problem: "its payload is not a signalbox evidence statement" };
  return { statement: statement.data, pae: encodePreAuthentication(payloadType, payload), keyid, signature };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
