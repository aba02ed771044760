import { dirname } from "node:path";
import { SignalboxError } from "../../core/failure/errors.ts";
import type { JournalRecord } from "../../core/journal/record.ts";
import { replayJournal } from "../../engine/replay/replay.ts";
import { BUILT_IN } from "../../pipelines/index.ts";
import { formatTable } from "../../surfaces/terminal/table.ts";
import type { Call } from "../call.ts";
import { describeFields } from "../pipelines/describe-fields.ts";
import { isStarter, writePipeline } from "../pipelines/new-pipeline.ts";
import { collectPipelineFacts, toJsonSchema } from "../pipelines/pipeline-facts.ts";
import { renderMermaid } from "../pipelines/pipeline-graph.ts";
import { formatPipeline } from "../pipelines/pipeline-lines.ts";
import { createPipelineRegistry, loadBuiltInPipelines, type PipelineRegistry } from "../pipelines/pipelines.ts";
import { inspectProject, openProject } from "../project/project.ts";
import { resolvePlaces } from "../project/repository.ts";
import { withRunStore } from "../runs/run-store.ts";
import type { BrokenFile } from "../trust/own-modules.ts";
import { mayRun } from "../trust/trust.ts";

export type PipelineFlags = { readonly trust?: boolean };

export async function listPipelines(call: Call, flags: PipelineFlags): Promise<number> {
  const { all, unread, broken } = await loadRegistry(call, flags);
  if (call.json) {
    const pipelines = all.map(({ pipeline: { name, does, version, input }, from }) => {
      return { name, about: does, version, from, input: describeFields(toJsonSchema(input)) };
    });
    call.emit({ v: 1, pipelines, notRead: unread, broken: broken.map(toBrokenDocument) });
    return 0;
  }
  const rows = all.map(({ pipeline, from }) => [
    { text: pipeline.name, painted: call.paint.bold(pipeline.name) },
    { text: from === "built in" ? pipeline.does : `${pipeline.does} (${from})` },
  ]);
  for (const line of formatTable(rows)) call.print(line);
  for (const file of unread) call.print(call.paint.dim(`.signalbox/pipelines/${file}: not loaded without --trust`));
  printBroken(call, broken);
  return 0;
}

function toBrokenDocument({ path, error: { code, message, hint } }: BrokenFile) {
  return { file: path, code, message, hint };
}

/** Reports broken files without failing, so that other pipelines stay usable. */
function printBroken({ paint, print }: Call, broken: readonly BrokenFile[]): void {
  for (const { error } of broken) {
    print(`${paint.red("✗")} ${error.message}`);
    print(`    next: ${error.hint}`);
  }
}

export type ShowFlags = PipelineFlags & { readonly rules?: boolean };

export async function showPipeline(call: Call, name: string, flags: ShowFlags): Promise<number> {
  const registry = await loadRegistry(call, flags);
  const pipeline = registry.get(name);
  const from = registry.all.find((each) => each.pipeline === pipeline)?.from ?? "";
  const facts = await collectPipelineFacts({ pipeline, from });
  if (call.json) call.emit({ v: 1, ...facts });
  else {
    const width = Math.min(Math.max(process.stdout.columns ?? 80, 60), 120);
    const look = { paint: call.paint, width, rules: flags.rules === true };
    for (const line of formatPipeline(facts, look)) call.print(line);
  }
  return 0;
}

export async function printGraph(call: Call, name: string, flags: PipelineFlags): Promise<number> {
  const mermaid = renderMermaid((await loadRegistry(call, flags)).get(name));
  if (call.json) call.emit({ v: 1, name, mermaid });
  else call.verbatim(mermaid);
  return 0;
}

export type NewFlags = { readonly from: string };

export async function createPipeline(call: Call, name: string, { from }: NewFlags): Promise<number> {
  const places = await resolvePlaces(call.dir);
  // The repository's files are listed here, not executed.
  const taken = Object.keys(BUILT_IN);
  const files = await writePipeline(places, { name, from, taken });
  const run = isStarter(from)
    ? `signalbox run ${name} "Write a note" --trust --agents ${files[1]}`
    : `signalbox pipelines show ${name} --trust`;
  if (call.json) call.emit({ v: 1, name, files, next: run });
  else {
    const [entry = "", ...rest] = files;
    call.print(`${call.paint.green("✓")} ${entry}`);
    if (isStarter(from)) for (const file of rest) call.print(`${call.paint.green("✓")} ${file}`);
    else call.print(`${call.paint.green("✓")} ${dirname(entry)}/${name}/  ${rest.length} files, all of ${from}`);
    call.print(`next: ${run}`);
  }
  return 0;
}

/** Replays every finished run. The current code must reach the same end through the same steps. */
export async function checkPipelines(call: Call, name: string | undefined, flags: PipelineFlags): Promise<number> {
  const { pipelines } = await openProject(call, flags);
  // A broken pipeline is reported as a result, like all others.
  if (name !== undefined && pipelines.broken.every(({ names }) => !names.has(name))) pipelines.get(name);
  const checked = await withRunStore(
    call,
    async ({ host, world }) => {
      const results: PipelineCheck[] = [];
      for (const row of await host.runs.list()) {
        const pipeline = pipelines.find(row.pipeline);
        if (name !== undefined && row.pipeline !== name) continue;
        const records = await host.journal.load(row.id);
        if (records.at(-1)?.type !== "run.finished") continue;
        results.push(
          pipeline ? await replayRun({ records, pipeline, world }) : toMissingPipeline(row.id, row.pipeline),
        );
      }
      return results;
    },
    () => [],
  );
  const unusable = pipelines.broken.filter(({ names }) => name === undefined || names.has(name));
  if (call.json) call.emit({ v: 1, checked, broken: unusable.map(toBrokenDocument) });
  else {
    printChecks(call, checked);
    printBroken(call, unusable);
  }
  return unusable.length > 0 || checked.some((each) => !each.ok) ? 1 : 0;
}

type PipelineCheck = { run: string; pipeline: string; ok: boolean; code?: string; message?: string; hint?: string };

async function replayRun(
  order: Parameters<typeof replayJournal>[0] & { records: readonly JournalRecord[] },
): Promise<PipelineCheck> {
  const about = { run: order.records[0]?.run ?? "", pipeline: order.pipeline.name };
  // A canceled run did not end through its pipeline, so there is no end to reproduce.
  const last = order.records.at(-1);
  if (last?.type === "run.finished" && last.status === "canceled") return { ...about, ok: true };
  const result = await replayJournal(order);
  if (result.ok) return { ...about, ok: true };
  const { code, message, hint } = result.error;
  return { ...about, ok: false, code, message, hint };
}

function toMissingPipeline(run: string, pipeline: string): PipelineCheck {
  return {
    run,
    pipeline,
    ok: false,
    code: "PIPELINE_UNKNOWN",
    message: `Pipeline "${pipeline}" no longer exists.`,
  };
}

function printChecks({ paint, print }: Call, checked: readonly PipelineCheck[]): void {
  for (const { run, pipeline, ok, code, message, hint } of checked) {
    print(`${ok ? paint.green("✓") : paint.red("✗")} ${run}  ${pipeline}${code ? `  ${code}` : ""}`);
    if (message) print(`    ${message}`);
    if (hint) print(`    next: ${hint}`);
  }
  const good = checked.filter((each) => each.ok).length;
  print(checked.length === 0 ? "No finished run to replay." : `${good} of ${checked.length} finished runs replay`);
}

async function loadRegistry(
  call: Call,
  flags: PipelineFlags,
): Promise<PipelineRegistry & { unread: readonly string[] }> {
  try {
    const { pipelines, repositoryCode, trust } = await inspectProject(call, flags);
    return { ...pipelines, unread: mayRun(trust) ? [] : repositoryCode.pipelines };
  } catch (error) {
    // Built-in pipelines can be shown outside a repository.
    if (!(error instanceof SignalboxError) || error.code !== "NOT_A_REPOSITORY") throw error;
    return { ...createPipelineRegistry(await loadBuiltInPipelines()), unread: [] };
  }
}
