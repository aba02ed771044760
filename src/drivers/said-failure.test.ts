import { describe, expect, it } from "vitest";
import { SAID_CHARACTERS } from "../core/failure.ts";
import { disguisedFailure, knownFailure, type Said, saidFailure } from "./said-failure.ts";

const NOW = Date.parse("2026-11-16T12:00:00Z");
const HOUR_MS = 3_600_000;

describe("what an agent says about a failed turn", () => {
  const said: readonly (readonly [Said, string, string])[] = [
    [{ message: "no", status: 400 }, "deterministic", "model_refused"],
    [{ message: "no", status: 401 }, "deterministic", "auth"],
    [{ message: "no", status: 403 }, "deterministic", "auth"],
    [{ message: "no", status: 404 }, "deterministic", "model_refused"],
    [{ message: "no", status: 408 }, "transient", "overloaded"],
    [{ message: "no", status: 429 }, "transient", "rate_limit"],
    [{ message: "no", status: 500 }, "transient", "overloaded"],
    [{ message: "no", status: 529 }, "transient", "overloaded"],
    [{ message: "no", kind: "authentication_failed" }, "deterministic", "auth"],
    [{ message: "no", kind: "billing_error" }, "deterministic", "quota"],
    [{ message: "no", kind: "rate_limit" }, "transient", "rate_limit"],
    [{ message: "no", kind: "overloaded_error" }, "transient", "overloaded"],
    [{ message: "no", kind: "error_max_turns" }, "limit", "turn_limit"],
    [{ message: "no", kind: "error_max_budget_usd" }, "limit", "agent_budget"],
    [{ message: "no", kind: "something new" }, "transient", "turn_failed"],
    // Codex
    [{ message: "You’ve hit your usage limit. Try again later." }, "deterministic", "quota"],
    [{ message: "Quota exceeded. Check your plan and billing details." }, "deterministic", "quota"],
    [{ message: "Codex ran out of room in the model's context window." }, "deterministic", "context_full"],
    [
      { message: "Your access token could not be refreshed. Please log out and sign in again." },
      "deterministic",
      "auth",
    ],
    [{ message: "Selected model is at capacity. Please try a different model." }, "transient", "overloaded"],
    [{ message: "stream disconnected before completion: idle timeout waiting for SSE" }, "transient", "connection"],
    [{ message: "unexpected status 401 Unauthorized: nope" }, "deterministic", "auth"],
    // Claude Code
    [{ message: "Failed to authenticate. API Error: 401 nope" }, "deterministic", "auth"],
    [{ message: "API Error: Request rejected (429) · nope" }, "transient", "rate_limit"],
    [{ message: "API Error: 500 nope. This is a server-side issue" }, "transient", "overloaded"],
    [{ message: "API Error: Connection to the API was lost (ECONNRESET)." }, "transient", "connection"],
    [{ message: "Credit balance is too low" }, "deterministic", "quota"],
    [{ message: "Invalid API key · Please run /login" }, "deterministic", "auth"],
    [{ message: "Prompt is too long", status: 400 }, "deterministic", "context_full"],
    // goose
    [{ message: "Ran into this error: Rate limit exceeded: nope." }, "transient", "rate_limit"],
    [
      { message: "Ran into this error: Server error: Server error (500 Internal Server Error) at x" },
      "transient",
      "overloaded",
    ],
    [{ message: "Network error: Stream decode error: error decoding response body" }, "transient", "connection"],
    [{ message: "Authentication required" }, "deterministic", "auth"],
    // Copilot CLI, Qwen Code, Kimi Code
    [
      { message: "Retrying...Error: Authentication failed with provider at http://x/ (HTTP 401)." },
      "deterministic",
      "auth",
    ],
    [
      { message: "Failed to get response from the AI model; retried 5 times Last error: 500 no" },
      "transient",
      "overloaded",
    ],
    [{ message: "Internal error: 401 no" }, "deterministic", "auth"],
    [{ message: "Authentication required: 401 no" }, "deterministic", "auth"],
    // Gemini CLI
    [{ message: "terminated", status: 500 }, "transient", "connection"],
    [{ message: '{"error":{"code":503,"message":"busy","status":"UNAVAILABLE"}}' }, "transient", "overloaded"],
    [
      { message: '{"error":{"code":401,"message":"who?","status":"UNAUTHENTICATED"}}', status: 401 },
      "deterministic",
      "auth",
    ],
    [{ message: "something that nobody has seen before" }, "transient", "turn_failed"],
    // A model that nobody there knows
    [{ message: "no", kind: "model_not_found" }, "deterministic", "model_unavailable"],
    [
      { message: '{"error":{"message":"nein","type":"invalid_request_error","code":"model_not_found"}}' },
      "deterministic",
      "model_unavailable",
    ],
    [
      { message: "The model `gpt-9` does not exist or you do not have access to it.", status: 404 },
      "deterministic",
      "model_unavailable",
    ],
    [
      { message: "The 'gpt-9' model is not supported when using Codex with a ChatGPT account.", status: 400 },
      "deterministic",
      "model_unavailable",
    ],
    [{ message: "model: claude-9", kind: "not_found_error", status: 404 }, "deterministic", "model_unavailable"],
    [
      { message: "There's an issue with the selected model (claude-9). It may not exist or you may not have access." },
      "deterministic",
      "model_unavailable",
    ],
    [
      {
        message:
          '{"error":{"code":404,"message":"models/gemini-9 is not found for API version v1","status":"NOT_FOUND"}}',
      },
      "deterministic",
      "model_unavailable",
    ],
    [{ message: "model 'nope' not found, try pulling it first" }, "deterministic", "model_unavailable"],
    [{ message: "nope-9 is not a valid model ID", status: 400 }, "deterministic", "model_unavailable"],
    // And what only sounds like it
    [{ message: "Model provider `nope` not found" }, "deterministic", "agent_usage"],
    [{ message: "The model is not found to be healthy: server error", status: 503 }, "transient", "overloaded"],
    [{ message: "You may not use the model x: not found", status: 403 }, "deterministic", "auth"],
  ];
  it.each(said)("%j is %s, %s", (words, kind, code) => {
    expect(saidFailure("agent", words, NOW)).toMatchObject({ class: kind, code });
  });

  it("is not misled by numbers in an address or in the words of a server", () => {
    const message = "unexpected status 503 Service Unavailable: try 401, url: http://127.0.0.1:4290/429/v1/responses";
    expect(saidFailure("agent", { message }, NOW)).toMatchObject({ class: "transient", code: "overloaded" });
  });

  it("is told without the wrapping of the answer that it came in", () => {
    const message = JSON.stringify({ error: { message: 'unknown parameter "x"', type: "invalid_request_error" } });
    expect(saidFailure("agent", { message }, NOW)).toEqual({
      class: "deterministic",
      code: "model_refused",
      message: 'agent: unknown parameter "x"',
    });
  });

  it("is cut short", () => {
    expect(saidFailure("agent", { message: "x".repeat(100_000) }, NOW).message.length).toBeLessThan(
      SAID_CHARACTERS + 100,
    );
  });

  it("is not read into ordinary words", () => {
    expect(knownFailure("agent", "2026-11-15 WARN something was slow", NOW)).toBeUndefined();
    expect(knownFailure("agent", "error: unexpected argument '--nope' found", NOW)?.code).toBe("agent_usage");
  });

  const waits: readonly (readonly [string, string, number])[] = [
    ["Claude AI usage limit reached|1794841200", "quota", Date.parse("2026-11-16T15:00:00Z")],
    ["You've hit your session limit · resets 3pm (UTC)", "quota", NOW + 3 * HOUR_MS],
    ["5-hour limit reached ∙ resets 4:30pm (Europe/Berlin)", "quota", NOW + 3.5 * HOUR_MS],
    ["You've hit your limit · resets 11am (UTC)", "quota", NOW + 23 * HOUR_MS],
    ["You've hit your usage limit. Try again in 3 days 4 hours 12 minutes.", "quota", NOW + 76.2 * HOUR_MS],
    ["Usage limit reached; resets at 2026-11-16T18:00:00Z.", "quota", NOW + 6 * HOUR_MS],
    [
      "You've hit your usage limit. Try again at Nov 18th, 2026 3:05 PM.",
      "quota",
      new Date(2026, 10, 18, 15, 5).getTime(),
    ],
    ["Your quota will reset after 3h20m15s.", "quota", NOW + 12_015_000],
    ["You exceeded your current quota. Please retry in 32.5s.", "rate_limit", NOW + 32_500],
    ['unexpected status 429: {"retry-after": "120"}', "rate_limit", NOW + 120_000],
    ["Rate limit reached. Try again in 3 hours.", "quota", NOW + 3 * HOUR_MS],
  ];
  it.each(waits)("%s: a window that ends", (message, code, wakeAt) => {
    expect(saidFailure("agent", { message }, NOW)).toMatchObject({ code, wakeAt });
  });

  it.each(["You've hit your usage limit. Try again later.", "resets 3pm (Nowhere/Never)", "again in no time"])(
    "%s: nobody knows when",
    (message) => {
      expect(saidFailure("agent", { message }, NOW)).not.toHaveProperty("wakeAt");
    },
  );
});

describe("a failure in the place of an answer", () => {
  it.each([
    ["API Error: 401 invalid api key", "auth"],
    ["Error: HTTP 429 Too Many Requests", "rate_limit"],
    ["429 Too Many Requests", "rate_limit"],
    ["codex: unexpected status 503 Service Unavailable", "overloaded"],
    ["You've hit your session limit · resets 3pm (UTC)", "quota"],
    ["  Invalid API key · Please run /login", "auth"],
  ])("%s: is one", (text, code) => {
    expect(disguisedFailure("agent", text, NOW)).toMatchObject({ code });
  });

  it.each([
    "I made the client wait after HTTP 429, and added a test for the rate limit.",
    "Done. Unauthorized requests are refused now.",
    "Error handling is in place.",
    `Error: 500. ${"I then wrote a long report about it. ".repeat(20)}`,
    "",
  ])("%s: is an answer that speaks of one, or none", (text) => {
    expect(disguisedFailure("agent", text, NOW)).toBeUndefined();
  });
});
