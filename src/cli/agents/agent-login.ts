import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { isSecretName } from "../secrets/secrets.ts";
import { type AgentChoice, findAgentProgram, listLoginFiles } from "./agents.ts";

/** Login state of an agent, determined without calling its model. Contains names and paths, never values. */
export type LoginState = { readonly found: boolean; readonly says: string; readonly get?: string };

/** Returns undefined for an agent whose login location is unknown. */
export function findLogin(choice: AgentChoice, now: number): LoginState | undefined {
  const keys = listLoginVariables(choice);
  const key = keys.find((name) => process.env[name]);
  if (key !== undefined) return { found: true, says: `key in ${key}` };
  const [file] = listLoginFiles(choice.driver);
  if (file !== undefined) return readLoginFile(choice, file, now);
  const get = getLoginCommand(choice);
  return get === undefined ? undefined : { found: false, says: "no login found", get };
}

/** Returns the command that logs a person in, or undefined if none is known. */
export function getLoginCommand(choice: AgentChoice): string | undefined {
  const [key] = listLoginVariables(choice);
  return findAgentProgram(choice)?.logIn ?? (key === undefined ? undefined : `set ${key}`);
}

function listLoginVariables({ driver, model }: AgentChoice): readonly string[] {
  return driver.variables?.({ env: process.env, model }).filter(isSecretName) ?? [];
}

function readLoginFile(choice: AgentChoice, file: string, now: number): LoginState {
  const place = file.replace(homedir(), "~");
  const { login } = choice.driver;
  if (!login?.read) return { found: true, says: `logged in (${place})` };
  const held = login.read(readJsonDocument(file));
  const get = getLoginCommand(choice);
  const toMissingLogin = (says: string): LoginState => ({ found: false, says, ...(get === undefined ? {} : { get }) });
  if (!held) return toMissingLogin(`no login in ${place}`);
  // A program with a refresh token renews an expired login; without one the login is lost.
  if (held.endsAt !== undefined && held.endsAt < now && !held.renews)
    return toMissingLogin(`the login in ${place} has expired`);
  return { found: true, says: `${held.by} (${place})` };
}

function readJsonDocument(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}
