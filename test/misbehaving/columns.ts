import type { Driver } from "../../src/core/ports/driver.ts";
import type { ProcessLimits } from "../../src/core/ports/processes.ts";
import { acpDriver } from "../../src/drivers/acp/acp-driver.ts";
import { GEMINI } from "../../src/drivers/acp/profiles/gemini.ts";
import { GOOSE } from "../../src/drivers/acp/profiles/goose.ts";
import { claudeDriver } from "../../src/drivers/claude/claude-driver.ts";
import { codexDriver } from "../../src/drivers/codex/codex-driver.ts";
import { commandDriver } from "../../src/drivers/command/command-driver.ts";
import type { EnvironmentOptions } from "../../src/drivers/environment.ts";
import { STAY_MS } from "./limits.ts";
import type { ColumnName } from "./misbehavior.ts";

type Means = { readonly environment: EnvironmentOptions; readonly limits: ProcessLimits };

/** A driver whose program, found on the PATH under its own name, is the actor with that program's way of talking. */
export type Actor = {
  readonly framing: "plain" | "codex" | "claude" | "acp";
  readonly program: string;
  driver(means: Means): Driver;
};

export const ACTORS: Readonly<Record<Exclude<ColumnName, "scripted" | "mailbox">, Actor>> = {
  command: {
    framing: "plain",
    program: "my-agent",
    driver: (means) => commandDriver({ name: "my-agent", argv: ["my-agent"], ...means }),
  },
  codex: {
    framing: "codex",
    program: "codex",
    driver: (means) => codexDriver({ ...means, lingerMs: STAY_MS }),
  },
  claude: {
    framing: "claude",
    program: "claude",
    driver: (means) => claudeDriver({ ...means, lingerMs: STAY_MS }),
  },
  goose: {
    framing: "acp",
    program: "goose",
    driver: (means) => acpDriver({ name: "goose", profile: GOOSE.profile, ...means }),
  },
  gemini: {
    framing: "acp",
    program: "gemini",
    driver: (means) => acpDriver({ name: "gemini", profile: GEMINI.profile, ...means }),
  },
};
