type StepTraits = {
  /** The step advances the run; the others are bookkeeping. */
  readonly advances: boolean;
  /** The step has a row of its own on the run page. Agents, checks, gates and questions have rows of their own kind. */
  readonly hasRow: boolean;
  /** The step runs commands of the project or of the pipeline, so its time does not count as orchestration. */
  readonly runsCommands: boolean;
};

/** Every verb that records a step. A new verb does not compile until its traits are listed here. */
export const STEP_VERBS = {
  agent: { advances: true, hasRow: false, runsCommands: false },
  attempt: { advances: true, hasRow: false, runsCommands: false },
  check: { advances: true, hasRow: false, runsCommands: true },
  gate: { advances: true, hasRow: false, runsCommands: false },
  ask: { advances: true, hasRow: false, runsCommands: false },
  pause: { advances: true, hasRow: false, runsCommands: false },
  commit: { advances: true, hasRow: true, runsCommands: false },
  merge: { advances: true, hasRow: true, runsCommands: false },
  act: { advances: true, hasRow: true, runsCommands: true },
  see: { advances: false, hasRow: false, runsCommands: false },
  write: { advances: false, hasRow: false, runsCommands: false },
  note: { advances: false, hasRow: false, runsCommands: false },
  announce: { advances: false, hasRow: false, runsCommands: false },
} as const satisfies Readonly<Record<string, StepTraits>>;

export type StepVerb = keyof typeof STEP_VERBS;

/** Returns whether the verb of a recorded step has a trait. A verb that this version does not know has none. */
export function hasTrait(verb: string, trait: keyof StepTraits): boolean {
  return Object.hasOwn(STEP_VERBS, verb) && STEP_VERBS[verb as StepVerb][trait];
}
