import type { Verbs } from "../../../core/authoring/verbs.ts";
import { EMPTY, formatMemory, invalidateEntries, type Memory, pruneMemory, removeInvalidEntries } from "./memory.ts";

/** The memory and its file. Used only by sequential parts of the pipeline. */
export type MemoryFile = {
  readonly memory: Memory;
  remember(next: Memory): Promise<void>;
  /** Marks the entries of these steps before a revision. */
  doubt(steps: readonly string[], reason: string): Promise<void>;
  /** Removes the entries that are still marked after a revision. */
  settle(): Promise<void>;
  /** Removes entries that are older than the last two steps. */
  prune(): Promise<void>;
  /** Records that a step begins. */
  reach(step: string): void;
};

type MemoryFileOptions = {
  readonly write: Verbs<unknown>["write"];
  readonly path: string;
  readonly warn: (text: string) => Promise<void>;
};

/** @rule C-23 (policy) If the memory cannot be written, the run warns and continues. */
export function openMemory({ write, path, warn }: MemoryFileOptions): MemoryFile {
  const steps: string[] = [];
  let memory = EMPTY;
  let shown = "";
  const remember = async (next: Memory): Promise<void> => {
    memory = next;
    const text = formatMemory(memory);
    if (text === shown) return;
    shown = text;
    // Agents work without the file, so the run continues.
    const { refused } = await write(path, text, { lenient: true });
    if (refused) await warn(`${path} could not be written: ${refused}`);
  };
  return {
    get memory() {
      return memory;
    },
    remember,
    doubt: (marked, reason) => remember(invalidateEntries(memory, marked, reason)),
    settle: () => remember(removeInvalidEntries(memory)),
    prune: () => remember(pruneMemory(memory, steps)),
    reach: (step) => {
      steps.push(step);
    },
  };
}
