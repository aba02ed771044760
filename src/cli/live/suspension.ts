type TerminalRegion = { lower(): void; raise(): void };

/** Handles Ctrl-Z and `fg`: restores the terminal before the process stops and takes it back when it continues. */
export function handleSuspension({ lower, raise }: TerminalRegion): { close(): void } {
  let stopped = false;
  const continueDisplay = (): void => {
    if (!stopped) return;
    stopped = false;
    raise();
  };
  const stopProcess = (): void => {
    if (stopped) return;
    stopped = true;
    lower();
    process.kill(process.pid, "SIGSTOP");
  };
  process.on("SIGTSTP", stopProcess);
  process.on("SIGCONT", continueDisplay);
  return {
    close() {
      process.off("SIGTSTP", stopProcess);
      process.off("SIGCONT", continueDisplay);
    },
  };
}

/** Signals the whole process group, as the terminal does. */
export function suspendGroup(): void {
  process.kill(0, "SIGTSTP");
}
