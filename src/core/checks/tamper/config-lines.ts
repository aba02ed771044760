/** Commands as they stand in the configuration, line by line. */
export function commandLines(lines: Readonly<Record<string, string>>): readonly string[] {
  return ["commands:", ...Object.entries(lines).map(([name, run]) => `  ${name}: ${plain(run)}`)];
}

/** A line that YAML would read as something else is quoted. */
function plain(run: string): string {
  return /^[\w./$][^#"'\n]*$/.test(run) && !/: |:$/.test(run) ? run : JSON.stringify(run);
}
