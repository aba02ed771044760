import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { DispatchOrder, Driver } from "../../core/ports/driver.ts";
import type { ProcessLimits } from "../../core/ports/processes.ts";
import { type EnvironmentOptions, environmentOf } from "../environment.ts";
import { locateProgram } from "../locate-program.ts";
import { linkLogin } from "../login.ts";
import { adoptTurn, type Program, runTurn, sessionOfTurn } from "../turn.ts";
import { createAcpReader } from "./acp-reader.ts";
import type { ClientOrder } from "./client-line.ts";
import { listPassedVariables } from "./passed-variables.ts";
import type { AcpProfile } from "./profile.ts";

export type AcpOptions = {
  readonly name: string;
  readonly profile: AcpProfile;
  /** Used if the dispatch names no model. */
  readonly model?: string;
  /** The user's home, which contains the profile's logins. Without it no login is linked. */
  readonly userHome?: string;
  readonly environment?: EnvironmentOptions;
  readonly limits?: ProcessLimits;
};

/** Driver for any program that speaks the Agent Client Protocol. Each turn runs a client, which starts the agent. */
export function createAcpDriver(options: AcpOptions): Driver {
  const { name: agent, profile, limits } = options;
  return {
    name: agent,
    can: {
      schema: false,
      resume: profile.resume !== undefined,
      cost: profile.cost,
      permissions: true,
      cancel: true,
    },
    dispatch: (order, processes, signal) => {
      const program = () => createProgram(order, options);
      return runTurn({ agent, order, processes, signal, program, reader: createAcpReader(agent, profile), limits });
    },
    adopt: (order, processes) => adoptTurn({ agent, order, processes, reader: createAcpReader(agent, profile) }),
    session: (order, processes) => sessionOfTurn({ order, processes, reader: createAcpReader(agent, profile) }),
  };
}

const CLIENT = locateProgram("client", import.meta.url);

const PASSED = ["HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY", "SSL_CERT_FILE", "NODE_EXTRA_CA_CERTS"];

function createProgram(order: DispatchOrder, options: AcpOptions): Program {
  const { profile, environment = {} } = options;
  const model = order.model ?? options.model;
  const fill = (text: string) => text.replaceAll("{home}", order.home).replaceAll("{model}", model ?? "");
  const variables = Object.entries({ ...profile.env, ...(model === undefined ? {} : profile["model-env"]) });
  const env = environmentOf(order, {
    ...environment,
    pass: [
      ...PASSED,
      ...listPassedVariables({ profile, from: environment.from ?? process.env, model }),
      ...(environment.pass ?? []),
    ],
    set: {
      ...Object.fromEntries(variables.map(([name, text]) => [name, fill(text)])),
      ...environment.set,
      ...CLIENT.env,
    },
  });
  writeHome(order, options);
  const words = model === undefined ? profile.args : [...profile.args, ...profile["model-args"]];
  const input: ClientOrder = { ...createClientOrder(order, profile, model), args: words.map(fill) };
  const programs = [profile.command];
  return { command: process.execPath, args: [CLIENT.file], env, stdin: JSON.stringify(input), programs };
}

function createClientOrder(
  order: DispatchOrder,
  profile: AcpProfile,
  model: string | undefined,
): Omit<ClientOrder, "args"> {
  const { command, auth, mode, resume } = profile;
  const option = profile["model-option"];
  return {
    command,
    prompt: order.prompt,
    ...(order.session === undefined || !resume ? {} : { session: { id: order.session, by: resume } }),
    ...(auth === undefined ? {} : { auth }),
    ...(mode === undefined ? {} : { mode }),
    ...(option === undefined || model === undefined ? {} : { option: { id: option, value: model } }),
  };
}

/** Writes the profile's files into the home and links the logins. */
function writeHome({ home }: DispatchOrder, { profile, userHome }: AcpOptions): void {
  for (const [path, text] of Object.entries(profile.files)) {
    mkdirSync(dirname(join(home, path)), { recursive: true, mode: 0o700 });
    writeFileSync(join(home, path), text, { mode: 0o600 });
  }
  for (const path of userHome === undefined ? [] : profile.login) {
    const target = join(userHome ?? "", path);
    if (!existsSync(target)) continue;
    mkdirSync(dirname(join(home, path)), { recursive: true, mode: 0o700 });
    linkLogin(target, join(home, path));
  }
}
