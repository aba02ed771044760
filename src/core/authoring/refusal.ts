/** Words that mark a stopping choice, the clearest first: beside "abort", "leave them" means to continue. */
const REFUSALS = [
  /^(abort|stop|reject|refuse|block|no|n|not meant|drop|discard|decline)$/i,
  /^(abort|stop|reject|refuse|block|no|drop|discard|decline)\b/i,
  /^(leave|send)\b/i,
];

/** Finds the choice that refuses. A question may have none, and then no other choice may be used for it. */
export function findRefusingChoice(choices: readonly string[]): string | undefined {
  return REFUSALS.flatMap((words) => choices.filter((choice) => words.test(choice)))[0];
}
