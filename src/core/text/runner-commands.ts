/**
 * Escapes workflow commands of a CI runner, both the form at the start of a line and the older one that may occur
 * anywhere.
 */
export function escapeRunnerCommands(text: string): string {
  return text.replace(/^([^\S\n]*):(?=:)/gm, "$1:\u2060").replace(/##(?=\[)/g, "##\u2060");
}
