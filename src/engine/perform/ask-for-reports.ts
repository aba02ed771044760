import { mkdir, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

const REPORTERS = fileURLToPath(new URL("./reporters/", import.meta.url));

type Asking = {
  /** The check's own folder, empty and writable inside its sandbox. */
  readonly folder: string;
  /** What the check would be started with. */
  readonly env: Readonly<Record<string, string>>;
};

/**
 * The environment in which known test programs write what became of each test into the folder, however they are
 * started. A program that is not known, or that the command starts with variables of its own, runs as it always did.
 */
export async function askForReports({ folder, env }: Asking): Promise<Record<string, string>> {
  await putBeforeGo(folder);
  const options = nodeOptions();
  return {
    ...env,
    SIGNALBOX_REPORTS: folder,
    // By itself as well: it is taken out again before the first test runs.
    SIGNALBOX_NODE_OPTIONS: options,
    NODE_OPTIONS: [env["NODE_OPTIONS"], options].filter(Boolean).join(" "),
    PYTHONPATH: [join(REPORTERS, "python"), env["PYTHONPATH"]].filter(Boolean).join(delimiter),
    PYTHONDONTWRITEBYTECODE: "1",
    PATH: [join(folder, "bin"), env["PATH"]].filter(Boolean).join(delimiter),
  };
}

/** Node's own test runner takes reporters only from its command line; every other program is listened to by the hook. */
function nodeOptions(): string {
  const quoted = (file: string) => JSON.stringify(join(REPORTERS, file));
  return [
    `--require ${quoted("hook.cjs")}`,
    `--test-reporter ${quoted("node-test.mjs")}`,
    "--test-reporter-destination stdout",
  ].join(" ");
}

/**
 * `GOFLAGS=-json` would also reach `go vet`, which then never fails, and `go list`, whose output others read.
 * A program of the same name that comes first on the path reaches `go test` alone.
 */
async function putBeforeGo(folder: string): Promise<void> {
  const bin = join(folder, "bin");
  await mkdir(bin, { recursive: true, mode: 0o700 });
  const script = `#!/bin/sh
own=${inShell(bin)}
before="\${PATH%%"$own"*}"
after="\${PATH#*"$own"}"
go="$(PATH="$before\${after#:}" command -v go)" || { echo "sh: go: not found" >&2; exit 127; }
[ "$1" = test ] && [ -n "$SIGNALBOX_REPORTS" ] || exec "$go" "$@"
exec ${inShell(process.execPath)} ${inShell(join(REPORTERS, "go-test.mjs"))} "$go" "$@"
`;
  await writeFile(join(bin, "go"), script, { mode: 0o700 });
}

function inShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
