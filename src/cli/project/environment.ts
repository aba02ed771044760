import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { ECOSYSTEMS } from "../../core/checks/detect/ecosystems/index.ts";
import type { CommandEnvironment } from "../../core/ports/command-environment.ts";
import { isSecretName, listSecrets } from "../secrets/secrets.ts";

/** Variables that only the engine sets: a check must not see another home, other programs or another run. */
const ENGINE_VARIABLES = /^(?:PATH|HOME|TMPDIR|SIGNALBOX_.*)$/;
const Name = z
  .string()
  .regex(/^[A-Za-z_]\w*$/, "must be a variable name")
  .refine((name) => !ENGINE_VARIABLES.test(name), "is set by the engine itself");

const VARIABLES = {
  /** Names of variables passed through from the user who starts the run. */
  pass: z.array(Name).optional(),
  set: z.record(Name, z.string()).optional(),
};

/** Variables in addition to the defaults of set-up and checks, for both or for one of them. */
export const Environment = z.strictObject({
  ...VARIABLES,
  setup: z.strictObject(VARIABLES).optional(),
  checks: z.strictObject(VARIABLES).optional(),
});
export type ConfiguredEnvironment = z.infer<typeof Environment>;

type VariableRules = { readonly pass: readonly string[]; readonly set: Readonly<Record<string, string>> };
export type EnvironmentRules = { readonly setup: VariableRules; readonly checks: VariableRules };

/** Merges layers, nearest first: the nearest value of a name wins, and names to pass are combined. */
export function mergeEnvironmentRules(layers: readonly (ConfiguredEnvironment | undefined)[]): EnvironmentRules {
  const mergePart = (part: "setup" | "checks"): VariableRules => {
    const all = layers.flatMap((each) => (each ? [each[part], each] : [])).filter((each) => each !== undefined);
    return {
      pass: [...new Set(all.flatMap(({ pass = [] }) => pass))],
      set: Object.assign({}, ...all.map(({ set = {} }) => set).reverse()),
    };
  };
  return { setup: mergePart("setup"), checks: mergePart("checks") };
}

/** Resolves the rules with the values of this environment. Names that are not set are omitted. */
export function resolveEnvironment({ setup, checks }: EnvironmentRules, env: NodeJS.ProcessEnv): CommandEnvironment {
  const chains = findToolchains(env);
  const resolveValues = ({ pass, set }: VariableRules): Record<string, string> => ({
    ...chains,
    ...Object.fromEntries(pass.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]]))),
    ...set,
  });
  return { setup: resolveValues(setup), checks: resolveValues(checks), shown: formatValues(checks) };
}

/** Returns the toolchain folders of programs on the PATH. Nothing else is inherited from the user. */
function findToolchains(env: NodeJS.ProcessEnv): Record<string, string> {
  const all = ECOSYSTEMS.flatMap(({ toolChains: chains = {} }) => Object.entries(chains));
  const places = all.map(([name, folder]) => [name, env[name] ?? join(env["HOME"] ?? homedir(), folder)] as const);
  return Object.fromEntries(places.filter(([, place]) => existsSync(place)));
}

/** Combines the shell's environment and the configured values, to search both for secrets. */
export function addConfiguredValues({ setup, checks }: EnvironmentRules, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const set = [...Object.entries(setup.set), ...Object.entries(checks.set)];
  // A configured value for a name that the shell also sets is a secret as well.
  return {
    ...env,
    ...Object.fromEntries(set.map(([name, value], at) => [Object.hasOwn(env, name) ? `${name}_${at}` : name, value])),
  };
}

/** Formats each variable once. Values of secrets are hidden. */
export function formatEnvironment({ setup, checks }: EnvironmentRules): readonly string[] {
  const lines = [
    ...formatVariables(setup).map((line) => ({ line, whose: "set-up" })),
    ...formatVariables(checks).map((line) => ({ line, whose: "checks" })),
  ];
  return [...Map.groupBy(lines, ({ line }) => line)].map(
    ([line, list]) => `${line} for ${list.map(({ whose }) => whose).join(" and ")}`,
  );
}

/** Lists the names that are passed or set. */
export function listVariableNames({ pass, set }: VariableRules): readonly string[] {
  return [...pass, ...Object.keys(set)];
}

function formatVariables({ pass, set }: VariableRules): readonly string[] {
  const passed = pass.filter((name) => !Object.hasOwn(set, name)).map((name) => `${name} from your environment`);
  return [...passed, ...formatValues({ set })];
}

const formatValues = ({ set }: Pick<VariableRules, "set">): readonly string[] =>
  Object.entries(set).map(([name, value]) => `${name}=${maskSecret(name, value)}`);

/** A password inside an address is hidden whatever the name of the variable. */
export function maskSecret(name: string, value: string): string {
  const [secret] = listSecrets({ [name]: value });
  if (!secret) return value;
  return isSecretName(name) ? "…" : value.replace(secret[1], "…");
}
