/** Machine on which something is to be installed. */
export type InstallMachine = {
  readonly isRoot: boolean;
  isInstalled(program: string): boolean;
};

/**
 * Ways to install a program, best first: a command line, usable if the program that it starts is installed, or the
 * address of a page, which is always usable.
 */
export type InstallWays = readonly string[];

/** Selects the way that works on this machine; undefined if every line needs a missing program. */
export function selectInstallWay(machine: InstallMachine, ways: InstallWays): string | undefined {
  const way = ways.find((each) => isPage(each) || machine.isInstalled(each.split(" ")[0] ?? ""));
  return way?.startsWith("apt ") ? formatRootLine(machine, way) : way;
}

export const isPage = (way: string): boolean => way.startsWith("https:");

/** Formats a line that requires root. Root often has no sudo, especially in a container. */
export function formatRootLine({ isRoot, isInstalled }: InstallMachine, line: string): string {
  if (isRoot) return line;
  return isInstalled("sudo") ? `sudo ${line}` : `su -c '${line}'`;
}
