type Shown = { lower(): void; raise(): void };

/** Handles Ctrl-Z and `fg`: restores the terminal before the process stops and takes it back when it continues. */
export function heedSuspension({ lower, raise }: Shown): { close(): void } {
  let stopped = false;
  const goOn = (): void => {
    if (!stopped) return;
    stopped = false;
    raise();
  };
  const stop = (): void => {
    if (stopped) return;
    stopped = true;
    lower();
    process.kill(process.pid, "SIGSTOP");
  };
  process.on("SIGTSTP", stop);
  process.on("SIGCONT", goOn);
  return {
    close() {
      process.off("SIGTSTP", stop);
      process.off("SIGCONT", goOn);
    },
  };
}

/** Signals the whole process group, as the terminal does. */
export function suspend(): void {
  process.kill(0, "SIGTSTP");
}
