export type Signals = {
  /** Fires at the first signal: the run is drained and suspended. */
  readonly stop: AbortSignal;
  /** 130 or 143 once a signal has come. */
  exit(): number | undefined;
  interrupt(): void;
  close(): void;
};

/** Once: stop in order. Twice: leave at once; what is recorded stays recorded. */
export function heedSignals(say = complain): Signals {
  const stop = new AbortController();
  let exit: number | undefined;
  const on = (code: number) => () => {
    if (exit !== undefined) process.exit(code);
    exit = code;
    say("\nstopping: what is under way is being ended; once more leaves at once");
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

function complain(text: string): void {
  process.stderr.write(`${text}\n`);
}
