import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { addReportPath, requestReports } from "./ask-for-reports.ts";
import { type ReadReports, readReports } from "./read-reports.ts";

const NODE_MODULES = resolve(import.meta.dirname, "../../../../node_modules");

export type ReportedRun = ReadReports & {
  readonly exit: number | null;
  readonly stdout: string;
  readonly stderr: string;
};

/** Writes a project, runs a line in it as a check does, and reads what its test programs reported. */
export async function runWithReports(line: string, files: Readonly<Record<string, string>>): Promise<ReportedRun> {
  // Below our own modules, so that a project finds Vitest there.
  mkdirSync(join(NODE_MODULES, ".cache"), { recursive: true });
  const top = mkdtempSync(join(NODE_MODULES, ".cache/asked-"));
  const home = mkdtempSync(join(tmpdir(), "signalbox-asked-"));
  try {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(top, name)), { recursive: true });
      writeFileSync(join(top, name), text);
    }
    return await run({ line, top, home });
  } finally {
    for (const dir of [top, home]) rmSync(dir, { recursive: true, force: true });
  }
}

async function run({ line, top, home }: { line: string; top: string; home: string }): Promise<ReportedRun> {
  const folder = join(home, "reports");
  mkdirSync(folder);
  const since = statSync(folder).mtimeMs;
  // Our own Node first: the tests of this repository may need another version than the installed one.
  const path = [dirname(process.execPath), join(NODE_MODULES, ".bin"), process.env["PATH"]].join(":");
  const env = await requestReports({
    folder,
    env: { PATH: path, HOME: home, TMPDIR: home, CI: "true", NO_COLOR: "1" },
  });
  const {
    status: exit,
    stdout,
    stderr,
  } = spawnSync("sh", ["-c", addReportPath(line)], { cwd: top, env, encoding: "utf8" });
  const printed = [join(home, "stdout"), join(home, "stderr")];
  writeFileSync(join(home, "stdout"), stdout);
  writeFileSync(join(home, "stderr"), stderr);
  return {
    exit,
    stdout,
    stderr,
    ...(await readReports({ folder, printed, top, cwd: top, since, redact: (text) => text })),
  };
}
