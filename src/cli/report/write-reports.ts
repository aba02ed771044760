import { existsSync } from "node:fs";
import { appendFile, mkdir, rename, stat, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import type { World } from "../../core/ports/world.ts";
import { renderGithubReport, SUMMARY_BYTES } from "../../surfaces/reports/github.ts";
import type { Call } from "../call.ts";
import type { RunStore } from "../runs/run-store.ts";
import { readReportMaterial } from "./report-material.ts";
import { getReporter, type ReportMaterial, type ReportRequest, renderReport } from "./reporters.ts";

/**
 * Writes the reports after a run has ended in any state. A report that cannot be written is reported and does not
 * affect the run.
 */
export async function writeReports(
  call: Call,
  store: RunStore,
  { run, asked }: { readonly run: string; readonly asked: readonly ReportRequest[] },
): Promise<void> {
  if (asked.length === 0) return;
  const { host, world, places } = store;
  try {
    const row = await host.runs.get(run);
    if (!row) return;
    const material = await readReportMaterial(store, row);
    for (const each of asked) {
      const path = each.path ?? join(places.runs, run, "reports", getReporter(each.name).file);
      await writeOneReport(call, { material, world }, { ...each, path, asked: each.path !== undefined }).catch(
        (error) => reportWriteError(world, `The report ${each.name} of ${run} could not be written to ${path}`, error),
      );
    }
  } catch (error) {
    reportWriteError(world, `No report of ${run} could be created`, error);
  }
}

type ReportSource = { readonly material: ReportMaterial; readonly world: Pick<World, "redact"> };
type ReportTarget = ReportRequest & { readonly path: string; readonly asked: boolean };

async function writeOneReport(
  call: Call,
  { material, world }: ReportSource,
  { name, path, asked }: ReportTarget,
): Promise<void> {
  const summary = name === "github" && !asked ? findStepSummary() : undefined;
  // With --json, standard output is reserved for events.
  if (name === "github") printAnnotations(material, call.json ? process.stderr : process.stdout, world.redact);
  if (summary !== undefined) return appendSummary(material, summary, world.redact);
  await writeReport(path, await renderReport(name, material, world.redact));
  const shown = relative(process.cwd(), path);
  if (!call.json) call.print(`  report  ${name}  ${shown.startsWith("..") ? path : shown}`);
}

/** Replaces the file atomically, so that a reader never sees half of it. */
export async function writeReport(path: string, text: string | Buffer): Promise<void> {
  await createFolders(dirname(path));
  const draft = `${path}.${process.pid}.tmp`;
  await writeFile(draft, text);
  await rename(draft, path);
}

/** Creates folders one at a time: with `recursive`, Node never returns for paths such as /proc. */
async function createFolders(path: string): Promise<void> {
  if (existsSync(path)) return;
  await createFolders(dirname(path));
  await mkdir(path);
}

/** Summary file of a GitHub workflow step. */
export function findStepSummary(): string | undefined {
  return process.env["GITHUB_STEP_SUMMARY"] || undefined;
}

/** Appends, and leaves room for what other tools of the same step have written. */
export async function appendSummary(
  { report }: ReportMaterial,
  file: string,
  redact: (text: string) => string,
): Promise<void> {
  const { size } = await stat(file).catch(() => ({ size: 0 }));
  await appendFile(file, redact(renderGithubReport(report, SUMMARY_BYTES - size).summary));
}

export function printAnnotations(
  { report }: ReportMaterial,
  to: NodeJS.WritableStream,
  redact: (text: string) => string,
): void {
  for (const line of renderGithubReport(report).annotations) to.write(`${redact(line)}\n`);
}

function reportWriteError({ redact }: Pick<World, "redact">, what: string, error: unknown): void {
  const why = error instanceof Error ? error.message : String(error);
  process.stderr.write(`error: ${redact(`${what}: ${why}`)}\nhint: Create it again with "signalbox report".\n`);
}
