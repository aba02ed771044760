import { defineDriver } from "../descriptor.ts";
import { CODEX_LOGIN, CODEX_VARIABLES } from "./codex-login.ts";

export const CODEX = defineDriver({
  name: "codex",
  program: "codex",
  install: "npm install -g @openai/codex",
  tried: "0.166.0",
  logIn: "codex login, or set CODEX_API_KEY",
  login: CODEX_LOGIN,
  variables: () => CODEX_VARIABLES,
  marks: ["CODEX_SANDBOX"],
  async create({ limits, contained, logins: [login] }) {
    const { createCodexDriver } = await import("./codex-driver.ts");
    const sandbox = contained ? "none" : "workspace-write";
    return createCodexDriver({ limits, sandbox, ...(login === undefined ? {} : { login }) });
  },
});
