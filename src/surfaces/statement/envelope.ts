import { z } from "zod";
import { PAYLOAD_TYPE, Statement } from "./statement.ts";

const Envelope = z.strictObject({
  payload: z.base64().min(1),
  payloadType: z.literal(PAYLOAD_TYPE),
  signatures: z.array(z.strictObject({ keyid: z.string().min(1), sig: z.base64().min(1) })).length(1),
});

export type SignedStatement = {
  readonly statement: Statement;
  /** What was signed, byte by byte. */
  readonly pae: Buffer;
  readonly keyid: string;
  readonly signature: Buffer;
};

/** What a DSSE signature is made over: the type and the payload, each with its length, so that neither can eat the other. */
export function preAuthenticationEncoding(payloadType: string, payload: Buffer): Buffer {
  const head = `DSSEv1 ${Buffer.byteLength(payloadType)} ${payloadType} ${payload.length} `;
  return Buffer.concat([Buffer.from(head), payload]);
}

export function envelopeText(
  payload: Buffer,
  { keyid, signature }: Pick<SignedStatement, "keyid" | "signature">,
): string {
  const signatures = [{ keyid, sig: signature.toString("base64") }];
  return `${JSON.stringify({ payload: payload.toString("base64"), payloadType: PAYLOAD_TYPE, signatures })}\n`;
}

/** What a file holds, or why it is no statement of ours. Not a byte of it may be other than it was written. */
export function readEnvelope(text: string): SignedStatement | { readonly problem: string } {
  const envelope = Envelope.safeParse(jsonIn(text));
  if (!envelope.success) return { problem: "it is no DSSE envelope with one signature over an in-toto statement" };
  const { payload: encoded, payloadType, signatures } = envelope.data;
  const [{ keyid, sig } = { keyid: "", sig: "" }] = signatures;
  const [payload, signature] = [Buffer.from(encoded, "base64"), Buffer.from(sig, "base64")];
  if (envelopeText(payload, { keyid, signature }) !== text)
    return { problem: "the envelope is not written as signalbox writes it: something in it was changed" };
  const statement = Statement.safeParse(jsonIn(payload.toString("utf8")));
  if (!statement.success) return { problem: "its payload is no statement of what signalbox witnessed" };
  return { statement: statement.data, pae: preAuthenticationEncoding(payloadType, payload), keyid, signature };
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
