/** What is known of a machine on which something is to be installed. */
export type InstallMachine = {
  readonly isRoot: boolean;
  isInstalled(program: string): boolean;
};

/**
 * How a program is got, the best way first: a line, which serves where the program that it starts is there, or the
 * address of a page, which always does.
 */
export type InstallWays = readonly string[];

/** The way that serves on this machine; none where every line needs what is not there either. */
export function wayOn(machine: InstallMachine, ways: InstallWays): string | undefined {
  const way = ways.find((each) => isPage(each) || machine.isInstalled(each.split(" ")[0] ?? ""));
  return way?.startsWith("apt ") ? asRoot(machine, way) : way;
}

export const isPage = (way: string): boolean => way.startsWith("https:");

/** A line that only root may run. Root often has no sudo, least of all in a container. */
export function asRoot({ isRoot, isInstalled }: InstallMachine, line: string): string {
  if (isRoot) return line;
  return isInstalled("sudo") ? `sudo ${line}` : `su -c '${line}'`;
}
