type Shown = { lower(): void; raise(): void };

/** Ctrl-Z and `fg`: a stopped program leaves the terminal as it was, and takes it again when it goes on. */
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

/** To whatever was started with us as well, as the terminal itself does it. */
export function suspend(): void {
  process.kill(0, "SIGTSTP");
}
