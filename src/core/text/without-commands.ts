/**
 * Text that a runner may read: a line of it is never taken for a command, neither in the form that begins a line nor in
 * the older one that may stand anywhere.
 */
export function withoutCommands(text: string): string {
  return text.replace(/^([^\S\n]*):(?=:)/gm, "$1:\u2060").replace(/##(?=\[)/g, "##\u2060");
}
