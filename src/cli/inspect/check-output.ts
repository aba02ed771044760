import { join } from "node:path";
import { SignalboxError } from "../../core/failure/errors.ts";
import { toOneLine } from "../../surfaces/terminal/clean-text.ts";
import type { Call } from "../call.ts";
import type { RunStore } from "../runs/run-store.ts";
import type { ViewedRun } from "../runs/with-run.ts";
import { type OutputTail, readStreams } from "./spool-text.ts";
import { formatLine, formatStream } from "./stream-lines.ts";

/** Folder of a check's output; undefined if `output` does not name one. */
export function resolveOutputFolder(
  { places }: Pick<RunStore, "places">,
  run: string,
  output: string,
): string | undefined {
  return FOLDER.test(output) ? join(places.runs, run, "spool", output) : undefined;
}

type OutputRequest = { readonly output: string; readonly most: number };

/** Path below a run's spool: effect, start, command. No other path is read. */
const FOLDER = /^[\w-]+\/\d+\.\d+\/[0-9a-f]+$/;

/** Prints the output of one check, by the folder that a question names. */
export async function printCheckOutput(
  call: Call,
  { store, row }: ViewedRun,
  { output, most }: OutputRequest,
): Promise<number> {
  const { redact } = store.world;
  const folder = resolveOutputFolder(store, row.id, output);
  const { stdout, stderr } = folder ? await readStreams(folder, { most, redact }) : {};
  if (!stdout && !stderr)
    throw new SignalboxError(
      "USAGE",
      `Run ${row.id} has no output under "${output}".`,
      "Copy the folder from the question that names it. `signalbox gc` may have removed it.",
    );
  if (call.json)
    call.emit({ v: 1, run: row.id, output, stdout: toStreamDocument(stdout), stderr: toStreamDocument(stderr) });
  else for (const line of formatStreams(call, { stdout, stderr })) call.print(redact(line));
  return 0;
}

type CheckLogRequest = { readonly step: string; readonly most: number };

/** Prints the output of each check of a run, in the order in which they ran. */
export async function printCheckLogs(
  call: Call,
  { store, row, view }: ViewedRun,
  request: CheckLogRequest,
): Promise<number> {
  const { redact } = store.world;
  const seen = view.evidence.filter(({ key, output }) => key.startsWith(request.step) && output && FOLDER.test(output));
  const once = [...new Map(seen.map((each) => [each.output, each])).values()];
  const printed = await Promise.all(
    once.map(async (each) => {
      const folder = join(store.places.runs, row.id, "spool", each.output ?? "");
      return { ...each, ...(await readStreams(folder, { most: request.most, redact })) };
    }),
  );
  if (call.json) {
    const checks = printed.map(({ key, check, task, tree, exitCode, passed, output, stdout, stderr }) => {
      return {
        key,
        check,
        task,
        tree,
        exitCode,
        passed,
        output,
        stdout: toStreamDocument(stdout),
        stderr: toStreamDocument(stderr),
      };
    });
    call.emit({ v: 1, run: row.id, checks });
    return 0;
  }
  if (printed.length === 0) call.print(`No stored check output for ${row.id}.`);
  for (const each of printed) {
    const exit = each.exitCode === null ? "no exit code" : `exit ${each.exitCode}`;
    const what = `${each.check}  ${toOneLine(each.key, 80)}`;
    call.print(`${call.paint.bold("── ")}${what}  ${call.paint.dim(`${exit} on ${each.tree.slice(0, 7)}`)}`);
    for (const line of formatStreams(call, each)) call.print(redact(line));
    call.print("");
  }
  return 0;
}

function toStreamDocument(tail: OutputTail | undefined) {
  return tail ? { lines: tail.lines.map(formatLine), bytes: tail.size, cut: tail.cut } : null;
}

type OutputStreams = { readonly stdout: OutputTail | undefined; readonly stderr: OutputTail | undefined };

function formatStreams({ paint }: Call, { stdout, stderr }: OutputStreams): readonly string[] {
  return [...formatStream(paint.dim, "", stdout), ...formatStream(paint.dim, "stderr", stderr)];
}
