import { defineProfile } from "../profile.ts";

const SETTINGS = {
  autoupdate: false,
  share: "disabled",
  permission: { edit: "ask", bash: "ask", webfetch: "ask" },
};

/** Seen with 1.18.33. Its usage is that of the last request alone; a refused tool ends its turn. */
export const OPENCODE = defineProfile({
  command: "opencode",
  args: ["acp"],
  env: {
    OPENCODE_DISABLE_AUTOUPDATE: "1",
    OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
  },
  files: { ".config/opencode/opencode.json": JSON.stringify(SETTINGS) },
  pass: [
    "ANTHROPIC_API_KEY",
    "OPENAI_API_KEY",
    "OPENROUTER_API_KEY",
    "GEMINI_API_KEY",
    "OPENCODE_DISABLE_MODELS_FETCH",
  ],
  login: [".local/share/opencode/auth.json"],
  "model-option": "model",
  resume: "resume",
  cost: true,
});
