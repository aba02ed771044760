/** What is known of a machine on which files cannot be confined. */
type Machine = {
  isInstalled(program: string): boolean;
  /** A setting of the kernel; undefined where it has none of that name. */
  setting(name: string): string | undefined;
};

/** The line that gets a sandbox: for the very thing that is missing, not for what is missing most often. */
export function sandboxCure({ isInstalled, setting }: Machine): string {
  if (!isInstalled("setsid")) return "sudo apt install util-linux";
  if (!isInstalled("bwrap")) return "sudo apt install bubblewrap";
  const closed = CLOSED.find(({ name, value }) => setting(name) === value);
  return closed
    ? `sudo sysctl ${closed.name}=${closed.open}`
    : "let bwrap make user namespaces; a container needs that of its host";
}

/** Settings that keep everybody but root from making user namespaces. */
const CLOSED = [
  { name: "kernel.apparmor_restrict_unprivileged_userns", value: "1", open: "0" },
  { name: "kernel.unprivileged_userns_clone", value: "0", open: "1" },
  { name: "user.max_user_namespaces", value: "0", open: "15000" },
];
