/** Formats commands as lines of the configuration. */
export function formatConfigCommands(lines: Readonly<Record<string, string>>): readonly string[] {
  return ["commands:", ...Object.entries(lines).map(([name, run]) => `  ${name}: ${quoteYamlLine(run)}`)];
}

/** Quotes a line that YAML would read differently. */
function quoteYamlLine(run: string): string {
  return /^[\w./$][^#"'\n]*$/.test(run) && !/: |:$/.test(run) ? run : JSON.stringify(run);
}
