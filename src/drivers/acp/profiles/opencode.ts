import { defineProgram } from "../acp-program.ts";
import { defineProfile } from "../profile.ts";

const SETTINGS = {
  autoupdate: false,
  share: "disabled",
  permission: { edit: "ask", bash: "ask", webfetch: "ask" },
};

/** Tested with 1.18.33. Its usage covers the last request only; a refused tool ends its turn. */
export const OPENCODE = defineProgram({
  name: "opencode",
  install: "npm install -g opencode-ai",
  logIn: "opencode auth login, or set the key of its provider",
  definitions: { folder: ".opencode/agent", ending: ".md" },
  marks: ["OPENCODE"],
  profile: defineProfile({
    command: "opencode",
    args: ["acp"],
    env: {
      OPENCODE_DISABLE_AUTOUPDATE: "1",
      OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
      // A repository's settings define servers and plugins, which are commands that the user has not approved.
      OPENCODE_DISABLE_PROJECT_CONFIG: "1",
    },
    files: { ".config/opencode/opencode.json": JSON.stringify(SETTINGS) },
    pass: ["OPENCODE_DISABLE_MODELS_FETCH"],
    keys: {
      anthropic: ["ANTHROPIC_API_KEY"],
      openai: ["OPENAI_API_KEY"],
      openrouter: ["OPENROUTER_API_KEY"],
      google: ["GEMINI_API_KEY"],
    },
    login: [".local/share/opencode/auth.json"],
    "model-option": "model",
    resume: "resume",
    cost: true,
  }),
});
