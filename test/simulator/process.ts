/** A process that can be paused, resumed and killed. */
export type Process = {
  state: "alive" | "stopped" | "dead";
  wasStopped: boolean;
  stop(): void;
  wake(): void;
  die(): void;
  /** Resolves when the process runs: immediately, after it is resumed, or never. */
  passing(): Promise<void>;
};

export const forever = <T>(): Promise<T> => new Promise<T>(() => {});

export function createProcess(): Process {
  let woken = Promise.resolve();
  let wake = () => {};
  const process: Process = {
    state: "alive",
    wasStopped: false,
    stop() {
      if (process.state !== "alive") return;
      process.state = "stopped";
      process.wasStopped = true;
      woken = new Promise((resolve) => {
        wake = resolve;
      });
    },
    wake() {
      if (process.state === "stopped") process.state = "alive";
      wake();
    },
    die() {
      process.state = "dead";
      wake();
    },
    async passing() {
      while (process.state === "stopped") await woken;
      if (process.state === "dead") await forever();
    },
  };
  return process;
}
