import { defineProgram } from "../acp-program.ts";
import { defineProfile } from "../profile.ts";

const SETTINGS = {
  // The type must be set: by default gemini assumes a gateway for a custom address and refuses it.
  security: { auth: { selectedType: "gemini-api-key" }, folderTrust: { enabled: true } },
  general: { enableAutoUpdate: false, maxAttempts: 3 },
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
};

/** Tested with 0.61.0. It reports session ids but cannot load them again. */
export const GEMINI = defineProgram({
  name: "gemini",
  install: "npm install -g @google/gemini-cli",
  tried: "0.61.0",
  logIn: "set GEMINI_API_KEY; its login with Google is not used here",
  marks: ["GEMINI_CLI"],
  profile: defineProfile({
    command: "gemini",
    args: ["--acp", "--approval-mode", "default"],
    env: { GEMINI_CLI_NO_RELAUNCH: "true" },
    pass: ["GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_GEMINI_BASE_URL", "GOOGLE_CLOUD_PROJECT"],
    "model-args": ["--model", "{model}"],
    files: { ".gemini/settings.json": JSON.stringify(SETTINGS) },
  }),
});
