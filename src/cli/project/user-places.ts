import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

type Env = NodeJS.ProcessEnv;

/** What belongs to the person and not to a repository: what they have agreed to. */
export function stateFolder(env: Env = process.env): string {
  return join(base(env["XDG_STATE_HOME"], ".local/state"), "signalbox");
}

/** The person's own settings, for all their repositories. */
export function userConfigFile(env: Env = process.env): string {
  return join(base(env["XDG_CONFIG_HOME"], ".config"), "signalbox/config.yaml");
}

/** A relative path would mean another folder in each directory; the standard says to ignore it. */
function base(said: string | undefined, otherwise: string): string {
  return said && isAbsolute(said) ? said : join(homedir(), otherwise);
}
