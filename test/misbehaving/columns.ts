import type { Driver } from "../../src/core/ports/driver.ts";
import type { ProcessLimits } from "../../src/core/ports/processes.ts";
import { createAcpDriver } from "../../src/drivers/acp/acp-driver.ts";
import { GEMINI } from "../../src/drivers/acp/profiles/gemini.ts";
import { GOOSE } from "../../src/drivers/acp/profiles/goose.ts";
import { createClaudeDriver } from "../../src/drivers/claude/claude-driver.ts";
import { createCodexDriver } from "../../src/drivers/codex/codex-driver.ts";
import { createCommandDriver } from "../../src/drivers/command/command-driver.ts";
import type { EnvironmentOptions } from "../../src/drivers/environment.ts";
import { STAY_MS } from "./limits.ts";
import type { ColumnName } from "./misbehavior.ts";

type ActorOptions = { readonly environment: EnvironmentOptions; readonly limits: ProcessLimits };

/** A driver whose program, found on the PATH under its own name, is the actor with that program's protocol. */
export type Actor = {
  readonly framing: "plain" | "codex" | "claude" | "acp";
  readonly program: string;
  driver(means: ActorOptions): Driver;
};

export const ACTORS: Readonly<Record<Exclude<ColumnName, "scripted" | "mailbox">, Actor>> = {
  command: {
    framing: "plain",
    program: "my-agent",
    driver: (means) => createCommandDriver({ name: "my-agent", argv: ["my-agent"], ...means }),
  },
  codex: {
    framing: "codex",
    program: "codex",
    driver: (means) => createCodexDriver({ ...means, lingerMs: STAY_MS }),
  },
  claude: {
    framing: "claude",
    program: "claude",
    driver: (means) => createClaudeDriver({ ...means, lingerMs: STAY_MS }),
  },
  goose: {
    framing: "acp",
    program: "goose",
    driver: (means) => createAcpDriver({ name: "goose", profile: GOOSE.profile, ...means }),
  },
  gemini: {
    framing: "acp",
    program: "gemini",
    driver: (means) => createAcpDriver({ name: "gemini", profile: GEMINI.profile, ...means }),
  },
};
