import { defineProgram } from "../acp-program.ts";
import { defineProfile } from "../profile.ts";

/** Tested with 1.0.102. A refused tool ends its turn; retries appear as separate messages before the answer. */
export const COPILOT = defineProgram({
  name: "copilot",
  install: "npm install -g @github/copilot",
  logIn: "export GH_TOKEN=$(gh auth token)",
  definitions: { folder: ".github/agents", ending: ".agent.md", shared: true },
  profile: defineProfile({
    command: "copilot",
    args: ["--acp", "--no-auto-update", "--log-level", "none"],
    env: { COPILOT_HOME: "{home}/copilot" },
    pass: [
      ...["COPILOT_GITHUB_TOKEN", "GH_TOKEN", "GITHUB_TOKEN", "COPILOT_OFFLINE", "COPILOT_MODEL"],
      ...[
        "COPILOT_PROVIDER_BASE_URL",
        "COPILOT_PROVIDER_TYPE",
        "COPILOT_PROVIDER_WIRE_API",
        "COPILOT_PROVIDER_API_KEY",
      ],
    ],
    "model-env": { COPILOT_MODEL: "{model}" },
    resume: "load",
    "fails-without-usage": true,
    "failure-texts": ["(?:^|Retrying\\.\\.\\.)Error: "],
  }),
});
