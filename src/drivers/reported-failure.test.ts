import { describe, expect, it } from "vitest";
import { SAID_CHARACTERS } from "../core/failure/failure.ts";
import { type FailureReport, findDisguisedFailure, knownFailure, reportedFailure } from "./reported-failure.ts";

const NOW = Date.parse("2026-11-16T12:00:00Z");
const HOUR_MS = 3_600_000;

describe("an agent's report of a failed turn", () => {
  const report: readonly (readonly [FailureReport, string, string])[] = [
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
    [{ message: "something never seen before" }, "transient", "turn_failed"],
    // Unknown models
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
    [{ message: "ProviderModelNotFoundError: ProviderModelNotFoundError" }, "deterministic", "model_unavailable"],
    [{ message: "The requested model is not supported.", status: 400 }, "deterministic", "model_unavailable"],
    [{ message: "Project `p` does not have access to model `m`", status: 404 }, "deterministic", "model_unavailable"],
    // Texts that only sound like one
    [{ message: "Model provider `nope` not found" }, "deterministic", "agent_usage"],
    [{ message: "The model is not found to be healthy: server error", status: 503 }, "transient", "overloaded"],
    [{ message: "You may not use the model x: not found", status: 403 }, "deterministic", "auth"],
  ];
  it.each(report)("%j is %s, %s", (words, kind, code) => {
    expect(reportedFailure("agent", words, NOW)).toMatchObject({ class: kind, code });
  });

  it("is not misled by numbers in an address or in a server's message", () => {
    const message = "unexpected status 503 Service Unavailable: try 401, url: http://127.0.0.1:4290/429/v1/responses";
    expect(reportedFailure("agent", { message }, NOW)).toMatchObject({ class: "transient", code: "overloaded" });
  });

  it("is reported without the JSON body around it", () => {
    const message = JSON.stringify({ error: { message: 'unknown parameter "x"', type: "invalid_request_error" } });
    expect(reportedFailure("agent", { message }, NOW)).toEqual({
      class: "deterministic",
      code: "model_refused",
      message: 'agent: unknown parameter "x"',
    });
  });

  it("is truncated", () => {
    expect(reportedFailure("agent", { message: "x".repeat(100_000) }, NOW).message.length).toBeLessThan(
      SAID_CHARACTERS + 100,
    );
  });

  it("is not found in ordinary text", () => {
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
    expect(reportedFailure("agent", { message }, NOW)).toMatchObject({ code, wakeAt });
  });

  it.each(["You've hit your usage limit. Try again later.", "resets 3pm (Nowhere/Never)", "again in no time"])(
    "%s: the end is unknown",
    (message) => {
      expect(reportedFailure("agent", { message }, NOW)).not.toHaveProperty("wakeAt");
    },
  );
});

describe("a missing login, key or balance", () => {
  const AUTH = "auth";
  const QUOTA = "quota";
  const said: readonly (readonly [agent: string, message: string, code: string, status: number | undefined])[] = [
    ["claude", "Not logged in · Please run /login", AUTH, undefined],
    ["claude", "Missing API key · Run /login", AUTH, undefined],
    ["claude", "Invalid API key · Fix external API key", AUTH, undefined],
    ["claude", "OAuth token has expired. Please obtain a new token or refresh your existing token.", AUTH, undefined],
    ["claude", "Your account does not have access to Claude Code. Please run /login.", AUTH, undefined],
    ["claude", "This organization has been disabled.", AUTH, 400],
    [
      "claude",
      "Could not resolve authentication method. Expected either apiKey or authToken to be set.",
      AUTH,
      undefined,
    ],
    ["claude", "Your credit balance is too low to access the Anthropic API.", QUOTA, 400],
    ["codex", "Failed to refresh token: 401 Unauthorized: Please try signing in again.", AUTH, undefined],
    ["codex", "exceeded retry limit, last status: 401 Unauthorized, request id: 99438b59", AUTH, undefined],
    ["codex", "Incorrect API key provided: sk-***", AUTH, 401],
    ["codex", "You exceeded your current quota, please check your plan and billing details.", QUOTA, 429],
    ["gemini", "[API Error: API key not valid. Please pass a valid API key. (Status: INVALID_ARGUMENT)]", AUTH, 400],
    ["gemini", "Please set an Auth method in your settings.json or specify GEMINI_API_KEY", AUTH, undefined],
    ["gemini", "When using Gemini API, you must specify the GEMINI_API_KEY environment variable.", AUTH, undefined],
    ["copilot", "Error: No authentication information found.", AUTH, undefined],
    [
      "copilot",
      "You are not authorized to use this Copilot feature, it requires a policy to be enabled.",
      AUTH,
      undefined,
    ],
    ["copilot", "Failed to load models: access denied by Copilot policy.", AUTH, undefined],
    ["copilot", "unauthorized: Personal Access Token does not have Copilot Requests permission", AUTH, undefined],
    ["copilot", "402 You have no quota", QUOTA, undefined],
    ["opencode", 'ProviderInitError: ProviderInitError data: { providerID: "google" }', AUTH, undefined],
    ["opencode", "OpenAI API key is missing. Pass it using the 'apiKey' parameter.", AUTH, undefined],
    ["opencode", "This request requires more credits, or fewer max_tokens.", QUOTA, 402],
    ["goose", "No provider configured. Run 'goose configure' first", AUTH, undefined],
    ["goose", "Configuration value not found: OPENAI_API_KEY", AUTH, undefined],
    ["goose", "Ran into this error: Authentication failed. Please ensure your API keys are valid.", AUTH, undefined],
    ["goose", "Ran into this error: Insufficient credits. Add more.", QUOTA, undefined],
    ["qwen", "Internal error: 401 invalid access token or token expired", AUTH, undefined],
    [
      "qwen",
      "[API Error: 403 Access to model denied. Please make sure you are eligible for the model.]",
      AUTH,
      undefined,
    ],
    ["qwen", "Access denied, please make sure your account is in good standing.", QUOTA, 400],
    ["kimi", "LLM not set", AUTH, undefined],
    ["kimi", "Error code: 401 - {'error': {'message': 'Invalid Authentication'}}", AUTH, undefined],
    [
      "kimi",
      "rejected OAuth credentials: We're unable to verify your membership benefits at this time.",
      AUTH,
      undefined,
    ],
    ["kimi", "Failed to get models: 402, message='Payment Required'", QUOTA, undefined],
  ];
  it.each(said)("%s: %s: %s", (agent, message, code, status) => {
    expect(reportedFailure(agent, { message, status }, NOW)).toMatchObject({ class: "deterministic", code });
  });
});

describe("a failure in place of an answer", () => {
  it.each([
    ["API Error: 401 invalid api key", "auth"],
    ["Error: HTTP 429 Too Many Requests", "rate_limit"],
    ["429 Too Many Requests", "rate_limit"],
    ["codex: unexpected status 503 Service Unavailable", "overloaded"],
    ["You've hit your session limit · resets 3pm (UTC)", "quota"],
    ["  Invalid API key · Please run /login", "auth"],
    ["Not logged in · Please run /login", "auth"],
    ["Credit balance is too low", "quota"],
  ])("%s: is one", (text, code) => {
    expect(findDisguisedFailure("agent", text, NOW)).toMatchObject({ code });
  });

  it.each([
    "I made the client wait after HTTP 429, and added a test for the rate limit.",
    "Done. Unauthorized requests are refused now.",
    "Error handling is in place.",
    "API keys are read from the environment, and a missing one is told.",
    `Error: 500. ${"I then wrote a long report about it. ".repeat(20)}`,
    "",
  ])("%s: is an answer that mentions one, or none", (text) => {
    expect(findDisguisedFailure("agent", text, NOW)).toBeUndefined();
  });
});
