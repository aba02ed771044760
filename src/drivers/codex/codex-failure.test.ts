import { describe, expect, it } from "vitest";
import { codexFailure, knownCodexFailure } from "./codex-failure.ts";

describe("what codex says about a failed turn", () => {
  it.each([
    ["You’ve hit your usage limit. Try again later.", "deterministic", "quota"],
    ["Quota exceeded. Check your plan and billing details.", "deterministic", "quota"],
    ["Codex ran out of room in the model's context window.", "deterministic", "context_full"],
    ["Your access token could not be refreshed. Please log out and sign in again.", "deterministic", "auth"],
    ["Selected model is at capacity. Please try a different model.", "transient", "overloaded"],
    ["stream disconnected before completion: idle timeout waiting for SSE", "transient", "connection"],
    ["something that nobody has seen before", "transient", "turn_failed"],
  ])("%s", (message, kind, code) => {
    expect(codexFailure("codex", message)).toMatchObject({ class: kind, code });
  });

  it("is not misled by numbers in an address or in the words of a server", () => {
    const message = "unexpected status 503 Service Unavailable: try 401, url: http://127.0.0.1:4290/429/v1/responses";
    expect(codexFailure("codex", message)).toMatchObject({ class: "transient", code: "overloaded" });
  });

  it("is told without the wrapping of the answer that it came in", () => {
    const body = JSON.stringify({ error: { message: 'unknown parameter "x"', type: "invalid_request_error" } });
    expect(codexFailure("codex", body)).toEqual({
      class: "deterministic",
      code: "model_refused",
      message: 'codex: unknown parameter "x"',
    });
  });

  it("is cut short", () => {
    expect(codexFailure("codex", "x".repeat(10_000)).message.length).toBeLessThan(600);
  });

  it("is not read into ordinary words on standard error", () => {
    expect(knownCodexFailure("codex", "2026-11-15 WARN something was slow")).toBeUndefined();
    expect(knownCodexFailure("codex", "error: unexpected argument '--nope' found")?.code).toBe("agent_usage");
  });
});
