import { defineProgram } from "../acp-program.ts";
import { defineProfile } from "../profile.ts";

/** Tested with 2.1.0. It asks only before commands; the sandbox must keep its files inside the folder. */
export const KIMI = defineProgram({
  name: "kimi",
  install: "npm install -g @moonshot-ai/kimi-code",
  logIn: "kimi login, or set KIMI_API_KEY",
  profile: defineProfile({
    command: "kimi",
    args: ["acp"],
    env: { KIMI_CODE_HOME: "{home}/.kimi-code" },
    pass: ["KIMI_API_KEY", "KIMI_BASE_URL", "MOONSHOT_API_KEY"],
    login: [".kimi-code/config.toml", ".kimi-code/credentials"],
    "model-option": "model",
    resume: "resume",
  }),
});
