import { SignalboxError } from "../core/errors.ts";
import type { Config } from "./config.ts";

export type Brought = { readonly config: Config | undefined; readonly pipelines: readonly string[] };

export function isTrusted(flag: boolean | undefined): boolean {
  return flag === true || process.env["SIGNALBOX_TRUST"] === "1";
}

/** What a repository brings is code: without a person's yes nothing of it runs, and the refusal shows what would. */
export function requireTrust(brought: Brought, trusted: boolean): void {
  const shown = whatWouldRun(brought);
  if (trusted || shown.length === 0) return;
  throw new SignalboxError(
    "UNTRUSTED",
    `This repository brings code that signalbox would run:\n${shown.map((line) => `  ${line}`).join("\n")}`,
    "Read it; if you trust it, run the same command with --trust (or SIGNALBOX_TRUST=1).",
  );
}

function whatWouldRun({ config, pipelines }: Brought): string[] {
  const commands = Object.entries(config?.commands ?? {}).map(([name, run]) => `command ${name}: ${run}`);
  const agents = Object.entries(config?.agents ?? {}).map(([role, agent]) => {
    return `agent ${role}: ${agent.driver}${agent.argv ? ` ${agent.argv.join(" ")}` : ""}`;
  });
  const named = pipelines.map((file) => `pipeline .signalbox/pipelines/${file}`);
  const other = config && commands.length + agents.length === 0 ? ["settings .signalbox/config.yaml"] : [];
  return [...commands, ...agents, ...named, ...other];
}
