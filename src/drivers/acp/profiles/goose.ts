import { defineProgram } from "../acp-program.ts";
import { defineProfile } from "../profile.ts";

/** Tested with 1.52.0. Its usage covers the last request only. */
export const GOOSE = defineProgram({
  name: "goose",
  install: "see https://block.github.io/goose",
  tried: "1.52.0",
  logIn: "set GOOSE_PROVIDER, GOOSE_MODEL and that provider's key; its own configuration is not used here",
  profile: defineProfile({
    command: "goose",
    args: ["acp", "--with-builtin", "developer"],
    // Makes it ask before every tool, so that the client decides.
    env: { GOOSE_MODE: "approve", GOOSE_DISABLE_KEYRING: "1", GOOSE_TELEMETRY_ENABLED: "false" },
    pass: ["GOOSE_PROVIDER", "GOOSE_MODEL"],
    maker: "GOOSE_PROVIDER",
    keys: {
      openai: ["OPENAI_API_KEY", "OPENAI_HOST", "OPENAI_BASE_PATH"],
      anthropic: ["ANTHROPIC_API_KEY", "ANTHROPIC_HOST"],
      google: ["GOOGLE_API_KEY"],
      openrouter: ["OPENROUTER_API_KEY"],
    },
    "model-env": { GOOSE_MODEL: "{model}" },
    resume: "load",
    "fails-without-usage": true,
    "failure-texts": ["^Ran into this error: ", "^Network error: "],
  }),
});
