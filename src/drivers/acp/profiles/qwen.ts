import { defineProfile } from "../profile.ts";

/** Seen with 0.24.4. It tells no usage, and repeats a failed request for minutes. */
export const QWEN = defineProfile({
  command: "qwen",
  args: ["--acp", "--approval-mode", "default"],
  pass: ["OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_MODEL", "DASHSCOPE_API_KEY"],
  "model-args": ["--model", "{model}"],
  login: [".qwen/oauth_creds.json"],
  resume: "resume",
});
