/** Words by which a question's choices stop something, the clearest first: "leave them" beside "abort" goes on. */
const REFUSALS = [
  /^(abort|stop|reject|refuse|block|no|n|not meant|drop|discard|decline)$/i,
  /^(abort|stop|reject|refuse|block|no|drop|discard|decline)\b/i,
  /^(leave|send)\b/i,
];

/** The choice that refuses. A question may have none, and then nothing may be taken for one. */
export function refusalAmong(choices: readonly string[]): string | undefined {
  return REFUSALS.flatMap((words) => choices.filter((choice) => words.test(choice)))[0];
}
