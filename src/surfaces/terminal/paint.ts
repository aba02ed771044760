export type Paint = {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly green: (text: string) => string;
  readonly red: (text: string) => string;
  readonly yellow: (text: string) => string;
  readonly cyan: (text: string) => string;
};

export const PLAIN: Paint = {
  bold: (text) => text,
  dim: (text) => text,
  green: (text) => text,
  red: (text) => text,
  yellow: (text) => text,
  cyan: (text) => text,
};

const COLORED: Paint = {
  bold: (text) => `\u001b[1m${text}\u001b[22m`,
  dim: (text) => `\u001b[2m${text}\u001b[22m`,
  green: (text) => `\u001b[32m${text}\u001b[39m`,
  red: (text) => `\u001b[31m${text}\u001b[39m`,
  yellow: (text) => `\u001b[33m${text}\u001b[39m`,
  cyan: (text) => `\u001b[36m${text}\u001b[39m`,
};

/** Uses colors on a terminal unless the environment disables them. */
export function selectPaint(stream: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv): Paint {
  if (env["NO_COLOR"]) return PLAIN;
  if (env["FORCE_COLOR"] && env["FORCE_COLOR"] !== "0") return COLORED;
  return stream.isTTY && env["TERM"] !== "dumb" ? COLORED : PLAIN;
}
