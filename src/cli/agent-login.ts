import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { z } from "zod";
import { passedTo } from "../drivers/acp/passed.ts";
import { CLAUDE_KEYS } from "../drivers/claude/claude-driver.ts";
import { CODEX_KEYS } from "../drivers/codex/codex-driver.ts";
import { type AgentChoice, loginsOf, programOf } from "./agents.ts";
import { AGENT_PROGRAMS } from "./drivers.ts";
import { isSecretName } from "./secrets.ts";

/** What can be said about an agent's login without asking its model. Names and places, never values. */
export type Login = { readonly found: boolean; readonly says: string; readonly get?: string };

/** Undefined for an agent of which nobody here knows where it keeps one. */
export function loginOf(choice: AgentChoice, now: number): Login | undefined {
  const keys = keysOf(choice);
  const key = keys.find((name) => process.env[name]);
  if (key !== undefined) return { found: true, says: `key in ${key}` };
  const [file] = loginsOf(choice);
  if (file !== undefined) return inFile(choice, file, now);
  const get = howToLogIn(choice);
  return get === undefined ? undefined : { found: false, says: "no login found", get };
}

/** The line by which a person logs in; undefined where none is known. */
export function howToLogIn(choice: AgentChoice): string | undefined {
  const known = AGENT_PROGRAMS.find(({ program }) => program === programOf(choice))?.logIn;
  const [key] = keysOf(choice);
  return known ?? (key === undefined ? undefined : `set ${key}`);
}

function keysOf(choice: AgentChoice): readonly string[] {
  if (choice.driver === "claude") return CLAUDE_KEYS;
  if (choice.driver === "codex") return CODEX_KEYS;
  return choice.driver === "acp"
    ? passedTo({ profile: choice.profile, from: process.env, model: choice.model }).filter(isSecretName)
    : [];
}

function inFile(choice: AgentChoice, file: string, now: number): Login {
  const place = file.replace(homedir(), "~");
  const read = choice.driver === "codex" ? CodexLogin : choice.driver === "claude" ? ClaudeLogin : undefined;
  if (!read) return { found: true, says: `logged in (${place})` };
  const held = read.safeParse(documentIn(file)).data;
  const get = howToLogIn(choice);
  const none = (says: string): Login => ({ found: false, says, ...(get === undefined ? {} : { get }) });
  if (!held) return none(`no login in ${place}`);
  // A program renews what has expired as long as it holds the means to; only then is it lost.
  if (held.endsAt !== undefined && held.endsAt < now && !held.renews) return none(`the login in ${place} has expired`);
  return { found: true, says: `${held.by} (${place})` };
}

type Held = { readonly by: string; readonly renews: boolean; readonly endsAt?: number | undefined };

const Text = z.string().min(1);

const CodexLogin = z.union([
  z.object({ tokens: z.object({ access_token: Text, refresh_token: z.string().nullish() }) }).transform(
    ({ tokens }): Held => ({
      by: "logged in with ChatGPT",
      renews: Boolean(tokens.refresh_token),
      endsAt: endOfToken(tokens.access_token),
    }),
  ),
  z.object({ OPENAI_API_KEY: Text }).transform((): Held => ({ by: "logged in with a key", renews: true })),
]);

const ClaudeLogin = z
  .object({
    claudeAiOauth: z.object({
      accessToken: Text,
      refreshToken: z.string().nullish(),
      expiresAt: z.number().nullish(),
      subscriptionType: z.string().nullish(),
    }),
  })
  .transform(({ claudeAiOauth: { refreshToken, expiresAt, subscriptionType } }): Held => {
    const plan = subscriptionType && /^\w{1,20}$/.test(subscriptionType) ? `, ${subscriptionType}` : "";
    return { by: `logged in with Claude${plan}`, renews: Boolean(refreshToken), endsAt: expiresAt ?? undefined };
  });

/** Such a token says itself when it ends; its signature is for others to look at. */
function endOfToken(token: string): number | undefined {
  const [, claims = ""] = token.split(".");
  const { data } = z.object({ exp: z.number() }).safeParse(parsed(Buffer.from(claims, "base64url").toString()));
  return data && data.exp * 1000;
}

function documentIn(file: string): unknown {
  return existsSync(file) ? parsed(readFileSync(file, "utf8")) : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
