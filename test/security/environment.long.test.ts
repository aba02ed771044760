import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { stringify } from "yaml";
import { AGENT_PROGRAMS } from "../../src/drivers/index.ts";
import { makeScene, type Scene } from "../cli/scene.ts";

const PAGE = fileURLToPath(new URL("../../docs/guides/sandbox.md", import.meta.url));

/** Variables of a typical environment: keys of many services, and variables that change what programs do. */
const DIRTY = [
  ...[
    "AWS_ACCESS_KEY_ID",
    "AWS_SECRET_ACCESS_KEY",
    "AWS_SESSION_TOKEN",
    "AWS_PROFILE",
    "AWS_REGION",
    "AZURE_TENANT_ID",
  ],
  ...[
    "AZURE_CLIENT_SECRET",
    "GCP_PROJECT",
    "GOOGLE_APPLICATION_CREDENTIALS",
    "GITHUB_TOKEN",
    "GH_TOKEN",
    "GITLAB_TOKEN",
  ],
  ...["NPM_TOKEN", "NODE_AUTH_TOKEN", "DOCKER_HOST", "DOCKER_CONFIG", "KUBECONFIG", "VAULT_TOKEN", "SSH_AUTH_SOCK"],
  ...[
    "SSH_AGENT_PID",
    "SSH_ASKPASS",
    "GPG_AGENT_INFO",
    "GNUPGHOME",
    "DBUS_SESSION_BUS_ADDRESS",
    "DISPLAY",
    "WAYLAND_DISPLAY",
  ],
  ...["NODE_DEBUG", "NODE_PATH", "NODE_TLS_REJECT_UNAUTHORIZED", "PYTHONPATH", "PYTHONSTARTUP", "PERL5LIB", "RUBYOPT"],
  ...[
    "JAVA_TOOL_OPTIONS",
    "BASH_ENV",
    "ENV",
    "PROMPT_COMMAND",
    "PS1",
    "EDITOR",
    "VISUAL",
    "PAGER",
    "LESSOPEN",
    "BROWSER",
  ],
  ...[
    "GIT_DIR_OF_OTHERS",
    "GIT_SSH_COMMAND",
    "GIT_EDITOR",
    "GIT_ASKPASS",
    "GIT_PAGER",
    "GIT_TRACE_SETUP",
    "GIT_AUTHOR_NAME",
  ],
  ...["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL", "ANTHROPIC_HOST", "CLAUDE_CODE_OAUTH_TOKEN"],
  ...["OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_HOST", "OPENAI_BASE_PATH", "OPENAI_MODEL", "CODEX_API_KEY"],
  ...["CODEX_BASE_URL", "CODEX_CA_CERTIFICATE", "GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_GEMINI_BASE_URL"],
  ...[
    "GOOGLE_CLOUD_PROJECT",
    "GOOSE_PROVIDER",
    "GOOSE_MODEL",
    "OPENROUTER_API_KEY",
    "DASHSCOPE_API_KEY",
    "KIMI_API_KEY",
  ],
  ...["KIMI_BASE_URL", "MOONSHOT_API_KEY", "COPILOT_GITHUB_TOKEN", "COPILOT_OFFLINE", "COPILOT_MODEL"],
  ...["COPILOT_PROVIDER_BASE_URL", "COPILOT_PROVIDER_TYPE", "COPILOT_PROVIDER_WIRE_API", "COPILOT_PROVIDER_API_KEY"],
  ...["OPENCODE_DISABLE_MODELS_FETCH", "MISTRAL_API_KEY", "GROQ_API_KEY", "XAI_API_KEY", "HF_TOKEN", "SLACK_TOKEN"],
  ...["STRIPE_KEY", "DATABASE_URL", "PGPASSWORD", "REDIS_URL", "SENTRY_DSN", "HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY"],
  ...["SSL_CERT_FILE", "NODE_EXTRA_CA_CERTS", "LC_ALL", "LC_CTYPE", "TZ", "LOGNAME", "MAIL", "OLDPWD"],
];
/** Variables that need a valid value. */
const SENSIBLE = {
  LC_ALL: "C.UTF-8",
  LC_CTYPE: "C.UTF-8",
  TZ: "UTC",
  LANG: "C.UTF-8",
  GOOSE_PROVIDER: "openai",
  NODE_EXTRA_CA_CERTS: "",
};
const PARENT = { ...Object.fromEntries(DIRTY.map((name) => [name, `value-of-${name}`])), ...SENSIBLE };

const PROGRAMS = AGENT_PROGRAMS.map(({ program }) => program);

const CHECKS = `import { definePipeline } from "signalbox";
import { z } from "zod";

export const checked = definePipeline(
  {
    name: "checked",
    about: "Runs the checks of what is there",
    version: 1,
    input: z.object({ request: z.string().min(1) }),
    dialect: "json",
    phases: [{ title: "1 Check" }],
    cap: 1,
  },
  async ({ phase, see, check }) => {
    phase("1 Check");
    await check(await see("head"), { task: "t" });
    return { status: "done", confidence: "high" };
  },
);
`;

/** Replaces an agent program: records its environment and fails. */
function writeProgram(path: string, to: string): void {
  writeFileSync(path, `#!/bin/sh\ncat /proc/$$/environ > ${to}\ncat /proc/$$/cmdline > ${to}.arguments\nexit 1\n`);
  chmodSync(path, 0o755);
}

type Variables = ReadonlyMap<string, string>;

function parseEnvironment(file: string): Variables {
  const entries = readFileSync(file, "utf8").split("\0").filter(Boolean);
  return new Map(entries.map((each) => [each.slice(0, each.indexOf("=")), each.slice(each.indexOf("=") + 1)]));
}

/** Parses the page's table: the readers of each variable. */
function readPromisedVariables(): ReadonlyMap<string, readonly string[]> {
  const section = readFileSync(PAGE, "utf8").split("## What is in the environment")[1]?.split("\n## ")[0] ?? "";
  const rows = section.split("\n").filter((line) => line.startsWith("| `"));
  return new Map(
    rows.flatMap((row) => {
      const [, names = "", whom = ""] = row.split("|");
      const seenBy = whom.split(",").map((each) => each.trim());
      return [...names.matchAll(/`([A-Za-z0-9_]+)`/g)].map(([, name = ""]) => [name, seenBy] as const);
    }),
  );
}

const AGENTS = [...PROGRAMS, "command"];

function listExpectedVariables(who: string): readonly string[] {
  const isAgent = AGENTS.some((name) => name === who);
  return [...readPromisedVariables()]
    .filter(([, whom]) => whom.includes("all") || whom.includes(who) || (isAgent && whom.includes("agents")))
    .map(([name]) => name)
    .sort();
}

function createScene(): { scene: Scene; seen: (who: string) => string } {
  // Existing folders, so that the result does not depend on which ones a machine has.
  const chains = Object.fromEntries(["RUSTUP_HOME", "PYENV_ROOT", "RBENV_ROOT"].map((name) => [name, tmpdir()]));
  const scene = makeScene({ env: { ...PARENT, ...chains, SIGNALBOX_SANDBOX: "off" } });
  const getSeenFile = (who: string): string => join(scene.repo, "..", `${who}.environment`);
  return { scene, seen: getSeenFile };
}

test("every agent receives exactly the documented variables, whatever the user has set", {
  timeout: 300_000,
}, async () => {
  expect(DIRTY.length).toBeGreaterThanOrEqual(100);
  const bin = join(makeScene().repo, "bin");
  mkdirSync(bin);
  const PATH = [bin, process.env["PATH"]].join(delimiter);
  const scene = makeScene({ env: { ...PARENT, PATH, SIGNALBOX_SANDBOX: "off" } });
  const getEnvironmentFile = (who: string): string => join(scene.repo, "..", `${who}.environment`);
  for (const name of AGENTS) writeProgram(join(bin, name), getEnvironmentFile(name));
  const argv = [join(bin, "command")];
  scene.put(".signalbox/config.yaml", stringify({ agents: { "*": { driver: "command", argv } } }));
  const bases = new Set<string>();
  for (const who of AGENTS) {
    const chosen = who === "command" ? [] : ["--agent", `*=${who}`];
    const ended = await scene.signalbox("run", "small", "x", ...chosen, "--json");
    expect(existsSync(getEnvironmentFile(who)), `${who}: ${ended.out}${ended.err}`).toBe(true);
    const seen = parseEnvironment(getEnvironmentFile(who));
    expect([...seen.keys()].sort(), who).toEqual(listExpectedVariables(who));
    for (const name of DIRTY) if (seen.has(name)) expect(seen.get(name)).toBe(PARENT[name as keyof typeof PARENT]);
    for (const name of ["HOME", "TMPDIR", "XDG_CONFIG_HOME"]) expect(seen.get(name)).toContain("/signalbox/homes/");
    expect(seen.get("SIGNALBOX_NAME")).toMatch(/^[a-z][a-z0-9_]{1,29}$/);
    expect(Number(seen.get("SIGNALBOX_PORT_BASE"))).toBeGreaterThanOrEqual(20_000);
    bases.add(seen.get("SIGNALBOX_NAME") ?? "");
    expect(readFileSync(`${getEnvironmentFile(who)}.arguments`, "utf8")).not.toMatch(
      /value-of-\w*(?:KEY|TOKEN|SECRET|PASS)/,
    );
  }
  expect(bases.size).toBe(AGENTS.length);
});

test("checks and setup receive exactly the documented variables", async () => {
  const { scene, seen } = createScene();
  scene.put(".signalbox/pipelines/checked.ts", CHECKS);
  const dump = (who: string): string => `cat /proc/self/environ > ${seen(who)}`;
  const commands = { setup: dump("set-up"), test: dump("checks") };
  scene.put(".signalbox/config.yaml", stringify({ commands }));
  const ended = await scene.signalbox("run", "checked", "x", "--json");
  expect(ended.exit, ended.out + ended.err).toBe(0);
  for (const who of ["set-up", "checks"]) {
    // The shell that starts `cat` adds its working directory.
    const names = [...parseEnvironment(seen(who)).keys()].filter(
      (name) => !["PWD", "_", "OLDPWD", "SHLVL"].includes(name),
    );
    const asked = listExpectedVariables(who === "checks" ? "commands" : "set-up");
    expect(names.sort(), who).toEqual([...new Set([...listExpectedVariables("checks"), ...asked])].sort());
  }
});
