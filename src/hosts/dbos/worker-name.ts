type Named = { readonly machine: string; readonly process: string };

const SHORT = 8;

/** What a worker is called wherever it is spoken of, for as long as its process lives: `build-1/82073146`. */
export function workerName({ machine, process }: Named): string {
  return `${machine}/${process.slice(0, SHORT)}`;
}
