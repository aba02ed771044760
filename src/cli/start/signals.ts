export type Signals = {
  /** Fires at the first signal: the run is drained and suspended. */
  readonly stop: AbortSignal;
  /** 130 or 143 after a signal. */
  exit(): number | undefined;
  interrupt(): void;
  close(): void;
};

/** Handles signals: the first one stops in order, the second one exits at once. Recorded work is kept. */
export function handleSignals(say = printError): Signals {
  const stop = new AbortController();
  let exit: number | undefined;
  const on = (code: number) => () => {
    if (exit !== undefined) process.exit(code);
    exit = code;
    say("\nstopping: terminating running agents; interrupt again to exit immediately");
    stop.abort({ exit: code });
  };
  const interrupt = on(130);
  const terminate = on(143);
  process.on("SIGINT", interrupt);
  process.on("SIGTERM", terminate);
  return {
    stop: stop.signal,
    exit: () => exit,
    interrupt,
    close() {
      process.off("SIGINT", interrupt);
      process.off("SIGTERM", terminate);
    },
  };
}

function printError(text: string): void {
  process.stderr.write(`${text}\n`);
}
