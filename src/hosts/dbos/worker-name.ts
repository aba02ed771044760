type MachineProcess = { readonly machine: string; readonly process: string };

const SHORT = 8;

/** The display name of a worker for the life of its process, such as `build-1/82073146`. */
export function formatWorkerName({ machine, process }: MachineProcess): string {
  return `${machine}/${process.slice(0, SHORT)}`;
}
