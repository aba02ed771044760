import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

/** A real agent program at the one version that these tests were written against. */
export type AgentPackage = {
  readonly package: string;
  readonly version: string;
  /** The native program inside an installation, if it exists. */
  readonly bin: (modules: string) => string | undefined;
};

export const CODEX: AgentPackage = {
  package: "@openai/codex",
  version: "0.166.0",
  bin(modules) {
    const vendor = join(modules, "@openai", `codex-${process.platform}-${process.arch}`, "vendor");
    const [triple] = existsSync(vendor) ? readdirSync(vendor) : [];
    return triple === undefined ? undefined : join(vendor, triple, "bin", "codex");
  },
};

export const CLAUDE: AgentPackage = {
  package: "@anthropic-ai/claude-code",
  version: "2.1.325",
  bin: (modules) => join(modules, "@anthropic-ai", `claude-code-${process.platform}-${process.arch}`, "claude"),
};

export const GOOSE: AgentPackage = {
  package: `@aaif/goose-binary-${process.platform}-${process.arch}`,
  version: "1.52.0",
  bin: (modules) => join(modules, GOOSE.package, "bin", "goose"),
};

export const GEMINI: AgentPackage = {
  package: "@google/gemini-cli",
  version: "0.61.0",
  bin: (modules) => join(modules, ".bin", "gemini"),
};

export type InstallResult = { readonly bin: string } | { readonly missing: string };

/**
 * Installs the program once, outside the repository, because it has hundreds of megabytes. In CI a program that cannot
 * be installed is an error; elsewhere the caller skips with the reason.
 */
export async function installAgent(agent: AgentPackage): Promise<InstallResult> {
  const installed = await tryInstall(agent);
  if ("missing" in installed && /^(true|1)$/.test(process.env["CI"] ?? "")) throw new Error(installed.missing);
  if ("missing" in installed) console.warn(`Skipped: ${installed.missing}`);
  return installed;
}

const run = promisify(execFile);
const INSTALL_MS = 180_000;
const VERSION_MS = 20_000;

async function tryInstall(agent: AgentPackage): Promise<InstallResult> {
  const wanted = `${agent.package}@${agent.version}`;
  const folder = join(getCacheFolder(), wanted.replaceAll(/[^\w.@-]/g, "+"));
  try {
    if (!existsSync(folder)) await installInto(folder, wanted);
    const bin = agent.bin(join(folder, "node_modules"));
    if (bin === undefined || !existsSync(bin)) {
      return { missing: `${wanted} has no program for ${process.platform}-${process.arch}; look into ${folder}.` };
    }
    const { stdout } = await run(bin, ["--version"], { timeout: VERSION_MS });
    if (!stdout.split(/\s+/).some((word) => word.replace(/^v/, "") === agent.version)) {
      return { missing: `${bin} says it is "${stdout.trim()}", not ${agent.version}; remove ${folder} and try again.` };
    }
    return { bin };
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    return { missing: `${wanted} could not be installed into ${folder}: ${why.slice(0, 500)}` };
  }
}

/**
 * Installs under another name first: two test files may install at once, and a partial installation must not be used.
 */
async function installInto(folder: string, wanted: string): Promise<void> {
  const draft = `${folder}.${crypto.randomUUID()}`;
  mkdirSync(draft, { recursive: true });
  try {
    const quiet = ["--no-audit", "--no-fund", "--no-package-lock", "--ignore-scripts", "--loglevel=error"];
    await run("npm", ["install", "--prefix", draft, ...quiet, "--fetch-retries=1", wanted], { timeout: INSTALL_MS });
    renameSync(draft, folder);
  } catch (error) {
    // Another process installed it first, and its installation is equal.
    if (!existsSync(folder)) throw error;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

function getCacheFolder(): string {
  const chosen = process.env["SIGNALBOX_AGENT_CACHE"];
  if (chosen) return chosen;
  const cache = process.env["XDG_CACHE_HOME"] || join(homedir() || tmpdir(), ".cache");
  return join(cache, "signalbox", "test-agents");
}
