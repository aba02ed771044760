import { SignalboxError } from "../../core/errors.ts";
import type { JournalRecord } from "../../core/record.ts";
import { replay } from "../../engine/replay.ts";
import { table } from "../../surfaces/terminal/table.ts";
import { lookAtProject, openProject } from "../app.ts";
import { withBook } from "../book.ts";
import type { Call } from "../call.ts";
import { STARTERS, type Starter, writeStarter } from "../new-pipeline.ts";
import { factsOf } from "../pipeline-facts.ts";
import { mermaidOf } from "../pipeline-graph.ts";
import { pipelineLines } from "../pipeline-lines.ts";
import { builtInPipelines, type Registry, registryOf } from "../pipelines.ts";
import { placesOf } from "../repository.ts";
import { mayRun } from "../trust.ts";

export type PipelineFlags = { readonly trust?: boolean };

export async function list(call: Call, flags: PipelineFlags): Promise<number> {
  const { all, unread } = await known(call, flags);
  if (call.json) {
    const pipelines = all.map(({ pipeline: { name, about, version }, from }) => ({ name, about, version, from }));
    call.emit({ v: 1, pipelines, notRead: unread });
    return 0;
  }
  const rows = all.map(({ pipeline, from }) => [
    { text: pipeline.name, painted: call.paint.bold(pipeline.name) },
    { text: from === "built in" ? pipeline.about : `${pipeline.about} (${from})` },
  ]);
  for (const line of table(rows)) call.print(line);
  for (const file of unread) call.print(call.paint.dim(`.signalbox/pipelines/${file}: not read without --trust`));
  return 0;
}

export type ShowFlags = PipelineFlags & { readonly rules?: boolean };

export async function show(call: Call, name: string, flags: ShowFlags): Promise<number> {
  const registry = await known(call, flags);
  const pipeline = registry.get(name);
  const from = registry.all.find((each) => each.pipeline === pipeline)?.from ?? "";
  const facts = await factsOf({ pipeline, from });
  if (call.json) call.emit({ v: 1, ...facts });
  else {
    const width = Math.min(Math.max(process.stdout.columns ?? 80, 60), 120);
    const look = { paint: call.paint, width, rules: flags.rules === true };
    for (const line of pipelineLines(facts, look)) call.print(line);
  }
  return 0;
}

export async function graph(call: Call, name: string, flags: PipelineFlags): Promise<number> {
  const mermaid = mermaidOf((await known(call, flags)).get(name));
  if (call.json) call.emit({ v: 1, name, mermaid });
  else call.print(mermaid);
  return 0;
}

export type NewFlags = { readonly from?: Starter };

export async function create(call: Call, name: string, flags: NewFlags): Promise<number> {
  const places = await placesOf(call.dir);
  // Files of the repository are looked for, not run.
  const taken = (await builtInPipelines()).map(({ pipeline }) => pipeline.name);
  const files = await writeStarter(places, { name, starter: flags.from ?? STARTERS[0], taken });
  const run = `signalbox run ${name} "Write a note" --trust --agents ${files[1]}`;
  if (call.json) call.emit({ v: 1, name, files, next: run });
  else {
    for (const file of files) call.print(`${call.paint.green("✓")} ${file}`);
    call.print(`next: ${run}`);
  }
  return 0;
}

/** Replays every finished run: today's code must come to the same end by the same steps. */
export async function check(call: Call, name: string | undefined, flags: PipelineFlags): Promise<number> {
  const { pipelines } = await openProject(call, flags);
  if (name !== undefined) pipelines.get(name);
  const checked = await withBook(
    call,
    async ({ host, world }) => {
      const results: Checked[] = [];
      for (const row of await host.runs.list()) {
        const pipeline = pipelines.find(row.pipeline);
        if (name !== undefined && row.pipeline !== name) continue;
        const records = await host.journal.load(row.id);
        if (records.at(-1)?.type !== "run.finished") continue;
        results.push(pipeline ? await replayed({ records, pipeline, world }) : missing(row.id, row.pipeline));
      }
      return results;
    },
    () => [],
  );
  const broken = checked.filter((each) => !each.ok);
  if (call.json) call.emit({ v: 1, checked });
  else tellChecked(call, checked);
  return broken.length > 0 ? 1 : 0;
}

type Checked = { run: string; pipeline: string; ok: boolean; code?: string; message?: string; hint?: string };

async function replayed(order: Parameters<typeof replay>[0] & { records: readonly JournalRecord[] }): Promise<Checked> {
  const about = { run: order.records[0]?.run ?? "", pipeline: order.pipeline.name };
  // A run that a person ended has no end of its own to come to again.
  const last = order.records.at(-1);
  if (last?.type === "run.finished" && last.status === "canceled") return { ...about, ok: true };
  const result = await replay(order);
  if (result.ok) return { ...about, ok: true };
  const { code, message, hint } = result.error;
  return { ...about, ok: false, code, message, hint };
}

function missing(run: string, pipeline: string): Checked {
  return {
    run,
    pipeline,
    ok: false,
    code: "PIPELINE_UNKNOWN",
    message: `There is no pipeline "${pipeline}" any more.`,
  };
}

function tellChecked({ paint, print }: Call, checked: readonly Checked[]): void {
  for (const { run, pipeline, ok, code, message, hint } of checked) {
    print(`${ok ? paint.green("✓") : paint.red("✗")} ${run}  ${pipeline}${code ? `  ${code}` : ""}`);
    if (message) print(`    ${message}`);
    if (hint) print(`    next: ${hint}`);
  }
  const good = checked.filter((each) => each.ok).length;
  print(checked.length === 0 ? "No finished run to replay." : `${good} of ${checked.length} finished runs replay`);
}

async function known(call: Call, flags: PipelineFlags): Promise<Registry & { unread: readonly string[] }> {
  try {
    const { pipelines, brought, trust } = await lookAtProject(call, flags);
    return { ...pipelines, unread: mayRun(trust) ? [] : brought.pipelines };
  } catch (error) {
    // The built-in pipelines can be looked at from anywhere.
    if (!(error instanceof SignalboxError) || error.code !== "NOT_A_REPOSITORY") throw error;
    return { ...registryOf(await builtInPipelines()), unread: [] };
  }
}
