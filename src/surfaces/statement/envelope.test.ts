import { expect, test } from "vitest";
import { encodePreAuthentication, parseEnvelope } from "./envelope.ts";

test("the signature covers the type and the payload, each with its length in bytes", () => {
  const encoded = encodePreAuthentication("http://example.com/HelloWorld", Buffer.from("hello world"));
  expect(String(encoded)).toBe("DSSEv1 29 http://example.com/HelloWorld 11 hello world");
  expect(String(encodePreAuthentication("", Buffer.from("ä")))).toBe("DSSEv1 0  2 ä");
});

test("a text that is no envelope, or contains no statement, is refused with the reason", () => {
  const payload = Buffer.from("{}").toString("base64");
  const payloadType = "application/vnd.in-toto+json";
  const signatures = [{ keyid: "k", sig: "AAAA" }];
  const texts = ["", "[]", JSON.stringify({ payload, payloadType, signatures: [] })];
  for (const text of texts)
    expect(parseEnvelope(text)).toMatchObject({ problem: expect.stringContaining("not a DSSE") });
  const whole = JSON.stringify({ payload, payloadType, signatures });
  expect(parseEnvelope(whole)).toMatchObject({ problem: expect.stringContaining("it was modified") });
  expect(parseEnvelope(`${whole}\n`)).toMatchObject({
    problem: expect.stringContaining("not a signalbox evidence statement"),
  });
});
