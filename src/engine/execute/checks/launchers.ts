import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

/**
 * Writes programs with well-known names that come first on the path of a check and start the next ones of that name.
 */
export async function putFirstOnPath(bin: string, goReporter: string): Promise<void> {
  await mkdir(bin, { recursive: true, mode: 0o700 });
  const programs = { node: formatNodeLauncher(), go: formatGoLauncher(goReporter) };
  for (const [name, lines] of Object.entries(programs)) {
    await writeFile(join(bin, name), [...formatLauncher(name, bin), ...lines, ""].join("\n"), { mode: 0o700 });
  }
}

function formatLauncher(name: string, bin: string): readonly string[] {
  return [
    "#!/bin/sh",
    `own=${quoteShell(bin)}`,
    `before="\${PATH%%"$own"*}"`,
    `after="\${PATH#*"$own"}"`,
    `next="$(PATH="$before\${after#:}" command -v ${name})" || { echo "${name}: not found" >&2; exit 127; }`,
    '[ -n "$SIGNALBOX_REPORTS" ] || exec "$next" "$@"',
  ];
}

/**
 * A line may replace NODE_OPTIONS. A reporter that a line names without a destination works alone but not next to ours,
 * so it gets its default destination.
 */
function formatNodeLauncher(): readonly string[] {
  return [
    'case "$NODE_OPTIONS" in',
    '*"$SIGNALBOX_NODE_OPTIONS"*) ;;',
    `*) export NODE_OPTIONS="\${NODE_OPTIONS:+$NODE_OPTIONS }$SIGNALBOX_NODE_OPTIONS" ;;`,
    "esac",
    "reporters= destinations=",
    'for each in "$@"; do',
    '  case "$each" in',
    "  --test-reporter-destination | --test-reporter-destination=*) destinations=x$destinations ;;",
    "  --test-reporter | --test-reporter=*) reporters=x$reporters ;;",
    "  esac",
    "done",
    '[ "$reporters/$destinations" = x/ ] && exec "$next" --test-reporter-destination=stdout "$@"',
    'exec "$next" "$@"',
  ];
}

/**
 * `GOFLAGS=-json` would also reach `go vet`, which then never fails, and `go list`, whose output other programs read:
 * only `go test` gets the flag.
 */
function formatGoLauncher(reporter: string): readonly string[] {
  return [
    '[ "$1" = test ] || exec "$next" "$@"',
    `exec ${quoteShell(process.execPath)} ${quoteShell(reporter)} "$next" "$@"`,
  ];
}

function quoteShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
