import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

type Env = NodeJS.ProcessEnv;

/** Folder for the user's state across repositories, such as trust. */
export function getStateFolder(env: Env = process.env): string {
  return join(resolveBaseFolder(env["XDG_STATE_HOME"], ".local/state"), "signalbox");
}

/** The user's settings for all repositories. */
export function getUserConfigFile(env: Env = process.env): string {
  return join(resolveBaseFolder(env["XDG_CONFIG_HOME"], ".config"), "signalbox/config.yaml");
}

/** The XDG standard says to ignore relative paths, which would depend on the current directory. */
function resolveBaseFolder(said: string | undefined, otherwise: string): string {
  return said && isAbsolute(said) ? said : join(homedir(), otherwise);
}
