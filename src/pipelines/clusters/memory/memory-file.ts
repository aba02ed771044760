import type { Verbs } from "../../../core/authoring/verbs.ts";
import { cleaned, EMPTY, invalidated, type Memory, memoryText, pruned } from "./memory.ts";

/** The memory and the file that shows it. Only sequential parts of the pipeline hold this. */
export type MemoryFile = {
  readonly memory: Memory;
  remember(next: Memory): Promise<void>;
  /** Marks what steps left in the memory before somebody revises it. */
  doubt(steps: readonly string[], reason: string): Promise<void>;
  /** Removes what is still marked after the revision. */
  settle(): Promise<void>;
  /** At the end of a step: what is older than it and the one before goes. */
  prune(): Promise<void>;
  /** A step begins. */
  reach(step: string): void;
};

type Parts = {
  readonly write: Verbs<unknown>["write"];
  readonly path: string;
  readonly warn: (text: string) => Promise<void>;
};

/** @rule C-23 (policy) A memory that cannot be written is a warning and stops nothing. */
export function openMemory({ write, path, warn }: Parts): MemoryFile {
  const steps: string[] = [];
  let memory = EMPTY;
  let shown = "";
  const remember = async (next: Memory): Promise<void> => {
    memory = next;
    const text = memoryText(memory);
    if (text === shown) return;
    shown = text;
    // Agents can do without it, so the run can too.
    const { refused } = await write(path, text, { lenient: true });
    if (refused) await warn(`${path} could not be written: ${refused}`);
  };
  return {
    get memory() {
      return memory;
    },
    remember,
    doubt: (marked, reason) => remember(invalidated(memory, marked, reason)),
    settle: () => remember(cleaned(memory)),
    prune: () => remember(pruned(memory, steps)),
    reach: (step) => {
      steps.push(step);
    },
  };
}
