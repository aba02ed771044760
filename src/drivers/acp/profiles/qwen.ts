import { defineProgram } from "../acp-program.ts";
import { defineProfile } from "../profile.ts";

/** Tested with 0.24.4. It reports no usage and retries a failed request for minutes. */
export const QWEN = defineProgram({
  name: "qwen",
  install: "npm install -g @qwen-code/qwen-code",
  logIn: "/auth inside qwen, or set OPENAI_API_KEY and OPENAI_BASE_URL",
  profile: defineProfile({
    command: "qwen",
    args: ["--acp", "--approval-mode", "default"],
    pass: ["OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_MODEL", "DASHSCOPE_API_KEY"],
    "model-args": ["--model", "{model}"],
    login: [".qwen/oauth_creds.json"],
    resume: "resume",
  }),
});
