import { formatRootLine, type InstallMachine, selectInstallWay } from "../../core/checks/cure/install-ways.ts";

/** A machine on which files cannot be confined. */
type SandboxMachine = InstallMachine & {
  /** Value of a kernel setting; undefined if there is no such setting. */
  setting(name: string): string | undefined;
};

/** Returns the command that makes a sandbox possible, by what this machine actually lacks. */
export function suggestSandboxFix(machine: SandboxMachine): string {
  const lacking = REQUIRED_PROGRAMS.find(({ program }) => !machine.isInstalled(program));
  if (lacking) return selectInstallWay(machine, [`apt install ${lacking.from}`]) ?? `install ${lacking.from}`;
  const closed = BLOCKING_SETTINGS.find(({ name, value }) => machine.setting(name) === value);
  return closed
    ? formatRootLine(machine, `sysctl ${closed.name}=${closed.open}`)
    : "allow bwrap to create user namespaces; in a container, the host must allow it";
}

const REQUIRED_PROGRAMS = [
  { program: "setsid", from: "util-linux" },
  { program: "bwrap", from: "bubblewrap" },
];

/** Settings that keep unprivileged users from creating user namespaces. */
const BLOCKING_SETTINGS = [
  { name: "kernel.apparmor_restrict_unprivileged_userns", value: "1", open: "0" },
  { name: "kernel.unprivileged_userns_clone", value: "0", open: "1" },
  { name: "user.max_user_namespaces", value: "0", open: "15000" },
];
