import { expect, test } from "vitest";
import { preAuthenticationEncoding, readEnvelope } from "./envelope.ts";

test("the signature covers the type and the payload, each with its length in bytes", () => {
  const encoded = preAuthenticationEncoding("http://example.com/HelloWorld", Buffer.from("hello world"));
  expect(String(encoded)).toBe("DSSEv1 29 http://example.com/HelloWorld 11 hello world");
  expect(String(preAuthenticationEncoding("", Buffer.from("ä")))).toBe("DSSEv1 0  2 ä");
});

test("a text that is no envelope, or contains no statement, is refused with the reason", () => {
  const payload = Buffer.from("{}").toString("base64");
  const payloadType = "application/vnd.in-toto+json";
  const signatures = [{ keyid: "k", sig: "AAAA" }];
  const texts = ["", "[]", JSON.stringify({ payload, payloadType, signatures: [] })];
  for (const text of texts) expect(readEnvelope(text)).toMatchObject({ problem: expect.stringContaining("not a DSSE") });
  const whole = JSON.stringify({ payload, payloadType, signatures });
  expect(readEnvelope(whole)).toMatchObject({ problem: expect.stringContaining("it was modified") });
  expect(readEnvelope(`${whole}\n`)).toMatchObject({ problem: expect.stringContaining("not a signalbox evidence statement") });
});
