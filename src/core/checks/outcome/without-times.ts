/** Removes durations from a program's output, so that equal runs give equal committed files. */
export function withoutTimes(text: string): string {
  return text.replace(/\bduration_ms:? [\d.]+/g, "duration_ms …").replace(TIME, "…$1");
}

const TIME = /(?<![\w.])\d+(?:\.\d+)?( ?(?:ms|µs|ns|s|sec|secs|seconds?|minutes?))\b/g;
