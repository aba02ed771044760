import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { defineProgram, isAcpProgram } from "../../drivers/acp/acp-program.ts";
import { listPassedVariables } from "../../drivers/acp/passed-variables.ts";
import { defineProfile } from "../../drivers/acp/profile.ts";
import { CLAUDE } from "../../drivers/claude/index.ts";
import { CODEX } from "../../drivers/codex/index.ts";
import { createCommandDescriptor } from "../../drivers/command/index.ts";
import { DRIVERS } from "../../drivers/index.ts";
import { MAILBOX } from "../../drivers/mailbox/index.ts";
import { findLogin } from "./agent-login.ts";

const NOW = Date.parse("2026-11-16T12:00:00Z");
const SECRET = "a-very-secret-value";
let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "signalbox-login-"));
  vi.stubEnv("HOME", home);
  vi.stubEnv("CODEX_HOME", join(home, "codex"));
  vi.stubEnv("CLAUDE_CONFIG_DIR", join(home, "claude"));
  for (const { variables } of DRIVERS) for (const name of variables?.({ env: {} }) ?? []) vi.stubEnv(name, "");
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(home, { recursive: true, force: true });
});

function put(path: string, document: unknown): void {
  const file = join(home, path);
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, typeof document === "string" ? document : JSON.stringify(document));
}

const tokenUntil = (ms: number): string =>
  ["e30", Buffer.from(JSON.stringify({ exp: ms / 1000 })).toString("base64url"), SECRET].join(".");

describe("the login of codex", () => {
  const codex = { driver: CODEX };
  const lost = { found: false, get: "codex login, or set CODEX_API_KEY" };

  test.each([
    ["nothing", undefined, { ...lost, says: "no login found" }],
    ["a key", { auth_mode: "apikey", OPENAI_API_KEY: SECRET }, { found: true, says: "logged in with a key" }],
    [
      "a subscription",
      { tokens: { access_token: tokenUntil(NOW + 1), refresh_token: SECRET } },
      { found: true, says: "logged in with ChatGPT" },
    ],
    [
      "an expired subscription that is renewed",
      { tokens: { access_token: tokenUntil(NOW - 1000), refresh_token: SECRET } },
      { found: true, says: "logged in with ChatGPT" },
    ],
    [
      "an expired one",
      { tokens: { access_token: tokenUntil(NOW - 1000), refresh_token: null } },
      { ...lost, says: "has expired" },
    ],
    ["a removed login", { auth_mode: "apikey", OPENAI_API_KEY: null }, { ...lost, says: "no login in" }],
    ["an incomplete file", '{"OPENAI_API', { ...lost, says: "no login in" }],
  ])("with %s is described without values", (_what, file, told) => {
    if (file !== undefined) put("codex/auth.json", file);
    const login = findLogin(codex, NOW);
    expect(login).toEqual({ ...told, says: expect.stringContaining(told.says) });
    expect(JSON.stringify(login)).not.toContain(SECRET);
  });

  test("prefers a key in the environment over any file", () => {
    put("codex/auth.json", { OPENAI_API_KEY: SECRET });
    vi.stubEnv("CODEX_API_KEY", SECRET);
    expect(findLogin(codex, NOW)).toEqual({ found: true, says: "key in CODEX_API_KEY" });
  });
});

test.each([
  [
    "a subscription",
    { refreshToken: SECRET, expiresAt: NOW - 1, subscriptionType: "max" },
    "logged in with Claude, max",
  ],
  ["an expired one", { expiresAt: NOW - 1 }, "has expired"],
])("the login of claude with %s is described", (_what, held, says) => {
  put("claude/.credentials.json", { claudeAiOauth: { accessToken: SECRET, ...held } });
  expect(findLogin({ driver: CLAUDE }, NOW)?.says).toContain(says);
});

test.each(DRIVERS.filter(isAcpProgram))(
  "the login of $name is found where its profile says, or reported as missing",
  (driver) => {
    const { profile } = driver;
    const choice = { driver };
    expect(findLogin(choice, NOW)).toMatchObject({ found: false, get: driver.logIn });
    const [key = ""] = listPassedVariables({ profile }).filter((each) => /KEY|TOKEN/.test(each));
    vi.stubEnv(key, SECRET);
    expect(findLogin(choice, NOW)).toEqual({ found: true, says: `key in ${key}` });
    vi.stubEnv(key, "");
    for (const path of profile.login.slice(0, 1)) {
      put(path, "{}");
      expect(homedir()).toBe(home);
      expect(findLogin(choice, NOW)).toEqual({ found: true, says: `logged in (~/${path})` });
    }
  },
);

test("a configured program without login is reported only if it names a key", () => {
  const choice = (pass: string[]) => ({
    driver: defineProgram({ name: "mine", profile: defineProfile({ command: "my-agent", pass }) }),
  });
  expect(findLogin(choice(["MY_AGENT_URL"]), NOW)).toBeUndefined();
  expect(findLogin(choice(["MY_AGENT_URL", "MY_AGENT_KEY"]), NOW)).toEqual({
    found: false,
    says: "no login found",
    get: "set MY_AGENT_KEY",
  });
});

test.each([
  ["a command", { driver: createCommandDescriptor(["my-agent"]) }],
  ["a mailbox", { driver: MAILBOX }],
])("the login of %s is unknown", (_what, choice) => {
  expect(findLogin(choice, NOW)).toBeUndefined();
});
