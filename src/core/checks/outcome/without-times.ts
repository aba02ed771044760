/** What a program printed, without how long it took: in a file that is committed, equal runs are to be equal. */
export function withoutTimes(text: string): string {
  return text.replace(/\bduration_ms:? [\d.]+/g, "duration_ms …").replace(TIME, "…$1");
}

const TIME = /(?<![\w.])\d+(?:\.\d+)?( ?(?:ms|µs|ns|s|sec|secs|seconds?|minutes?))\b/g;
