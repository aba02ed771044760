import { SignalboxError } from "../../core/failure/errors.ts";
import { getCurrentConfig, type RunConfig } from "../../core/journal/run-config.ts";
import type { Host } from "../../core/ports/host.ts";
import { toOneLine } from "../../surfaces/terminal/clean-text.ts";
import type { Settings } from "../project/settings.ts";

/** Configuration values that differ from those of the run, by key. */
export type ConfigChange = { readonly config: RunConfig; readonly changes: readonly string[] };

export async function compareConfig(host: Host, run: string, settings: Settings): Promise<ConfigChange> {
  const records = await host.journal.load(run);
  const started = records.find((record) => record.type === "run.started");
  const config = toRunConfig(settings);
  if (!started) return { config, changes: [] };
  const resumed = records.filter((record) => record.type === "run.resumed");
  return { config, changes: listDifferences(getCurrentConfig(started, resumed), config) };
}

function toRunConfig({ commands, setup, protectedPaths, exam }: Settings): RunConfig {
  return {
    commands: commands.map(({ name, run }) => ({ name, run })),
    ...(setup ? { setup: { ...setup } } : {}),
    ...(protectedPaths.length > 0 ? { protectedPaths: [...protectedPaths] } : {}),
    ...(exam ? { exam: { tests: [...exam.tests], code: [...exam.code] } } : {}),
  };
}

function listDifferences(then: RunConfig, now: RunConfig): readonly string[] {
  const names = [...new Set([...then.commands, ...now.commands].map(({ name }) => name))];
  const findLine = ({ commands }: RunConfig, name: string) => commands.find((each) => each.name === name)?.run;
  const isUnchanged = (key: "protectedPaths" | "exam") => JSON.stringify(then[key]) === JSON.stringify(now[key]);
  return [
    ...names.flatMap((name) => formatChange(`commands.${name}`, findLine(then, name), findLine(now, name))),
    ...formatChange("commands.setup", then.setup?.run, now.setup?.run),
    ...(isUnchanged("protectedPaths") ? [] : ["protected"]),
    ...(isUnchanged("exam") ? [] : ["exam"]),
  ];
}

function formatChange(key: string, then: string | undefined, now: string | undefined): readonly string[] {
  if (then === now) return [];
  const [before, after] = [then, now].map((line) => (line === undefined ? "none" : toOneLine(line, 60)));
  return [`${key}: ${before} → ${after}`];
}

/** Rejects a switch between checks and no checks: the questions recorded at the start would no longer apply. */
export function requireChecksUnchanged(
  run: string,
  began: { readonly commands: readonly unknown[] },
  { config }: ConfigChange,
): void {
  if (began.commands.length > 0 && config.commands.length > 0) return;
  const what = began.commands.length === 0 ? "was started without checks" : "would continue without checks";
  throw new SignalboxError(
    "USAGE",
    `Run ${run} ${what}; a run cannot switch between checks and no checks.`,
    `Continue unchanged with \`signalbox resume ${run}\`, or start a new run.`,
  );
}
