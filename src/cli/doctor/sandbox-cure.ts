import { asRoot, type InstallMachine, wayOn } from "../../core/checks/cure/install-ways.ts";

/** What is known of a machine on which files cannot be confined. */
type Machine = InstallMachine & {
  /** A setting of the kernel; undefined where it has none of that name. */
  setting(name: string): string | undefined;
};

/** The line that gets a sandbox: for the very thing that is missing, not for what is missing most often. */
export function sandboxCure(machine: Machine): string {
  const lacking = NEEDED.find(({ program }) => !machine.isInstalled(program));
  if (lacking) return wayOn(machine, [`apt install ${lacking.from}`]) ?? `install ${lacking.from}`;
  const closed = CLOSED.find(({ name, value }) => machine.setting(name) === value);
  return closed
    ? asRoot(machine, `sysctl ${closed.name}=${closed.open}`)
    : "let bwrap make user namespaces; a container needs that of its host";
}

const NEEDED = [
  { program: "setsid", from: "util-linux" },
  { program: "bwrap", from: "bubblewrap" },
];

/** Settings that keep everybody but root from making user namespaces. */
const CLOSED = [
  { name: "kernel.apparmor_restrict_unprivileged_userns", value: "1", open: "0" },
  { name: "kernel.unprivileged_userns_clone", value: "0", open: "1" },
  { name: "user.max_user_namespaces", value: "0", open: "15000" },
];
