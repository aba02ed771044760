import { setTimeout as wait } from "node:timers/promises";
import { SignalboxError } from "../../core/failure/errors.ts";
import type { JournalRecord } from "../../core/journal/record.ts";
import { PLAIN } from "../../surfaces/terminal/paint.ts";
import type { Call } from "../call.ts";
import { type Child, isRecord, startSignalbox } from "./child-process.ts";
import { type DemoDisplay, openDemoDisplay } from "./demo-display.ts";
import { createDemoOutput, type DemoOutput } from "./demo-output.ts";
import type { DemoProject } from "./project.ts";
import { SCENES, type Scene } from "./scenes.ts";

/** Pause for reading, if the output is a terminal. */
const READING_MS = 2_000;

export type Stage = DemoOutput & {
  /** All records so far. The last one is printed by `close`, so that it comes at the end. */
  readonly records: readonly JournalRecord[];
  /** Runs the program and prints its events. `meanwhile` may stop it. */
  play(args: readonly string[], meanwhile?: (child: Child) => Promise<void>): Promise<number>;
  /** Runs the program and prints its output. */
  show(args: readonly string[]): Promise<void>;
  /** Runs the program without printing the command. Its events are printed. */
  listen(args: readonly string[]): Promise<number>;
  /** Waits only if the output is a terminal. */
  pause(ms?: number): Promise<void>;
  close(): void;
  /** Forwards a signal to running children and ends every pause. */
  stop(signal: NodeJS.Signals): void;
  readonly stopped: AbortSignal;
  /** Hides the display while another reader uses the terminal. */
  readonly aside: DemoDisplay["aside"];
  /** Closes the display. */
  lower(): Promise<void>;
};

export function openStage(call: Call, project: DemoProject, scenes: readonly Scene[] = SCENES): Stage {
  const voice = createDemoOutput(call);
  const shown = openDemoDisplay(call, project);
  const records: JournalRecord[] = [];
  const stopping = new AbortController();
  const colour = call.paint !== PLAIN;
  const running = new Set<Child>();

  const start = (args: readonly string[], heard: (line: string) => void): Child => {
    const child = startSignalbox({ project, args: call.json ? [...args, "--json"] : args, colour }, heard);
    running.add(child);
    child.exited.finally(() => running.delete(child));
    return child;
  };
  const pause = async (ms: number = READING_MS): Promise<void> => {
    if (call.terminal) await wait(ms, undefined, { signal: stopping.signal }).catch(() => undefined);
  };
  const show = async (args: readonly string[]): Promise<void> => {
    if (stopping.signal.aborted) return;
    voice.command(formatCommandLine(args));
    const lines: string[] = [];
    const exit = await start(args, (line) => lines.push(line)).exited;
    if (exit === 0) voice.answer(formatCommandLine(args), lines);
    else if (!stopping.signal.aborted) throw toDemoError(formatCommandLine(args), exit);
  };
  const hear = createRecordHandler({ ...voice, records, show, pause, shown }, scenes);
  const listen: Stage["play"] = async (args, meanwhile) => {
    // Records are processed one after the other, because the engine does not wait for scenes.
    let told: Promise<unknown> = Promise.resolve();
    const child: Child = start(["--json", ...args], (line) => {
      const heard: unknown = JSON.parse(line);
      if (isRecord(heard)) told = told.then(() => hear(heard)).then(() => meanwhile?.(child));
    });
    const exit = await child.exited;
    await told;
    return exit;
  };

  return {
    ...voice,
    records,
    pause,
    show,
    listen: (args) => listen(args),
    play: async (args, meanwhile) => {
      if (stopping.signal.aborted) return 130;
      voice.command(formatCommandLine(args));
      return listen(args, meanwhile);
    },
    close: () => {
      const last = records.at(-1);
      if (last?.type === "run.finished") voice.tell(last);
    },
    stop: (signal) => {
      stopping.abort();
      for (const child of running) child.kill(signal);
    },
    stopped: stopping.signal,
    aside: shown.aside,
    lower: shown.close,
  };
}

type SceneContext = DemoOutput &
  Pick<Stage, "show" | "pause"> & { readonly records: JournalRecord[]; readonly shown: DemoDisplay };

/** Prints each record once and plays the scene that belongs to it. */
function createRecordHandler(heard: SceneContext, scenes: readonly Scene[]): (record: JournalRecord) => Promise<void> {
  const { records, say, tell, show, pause, shown } = heard;
  const left = new Set(scenes);
  return async (record) => {
    if (record.seq <= (records.at(-1)?.seq ?? 0)) return;
    const scene = [...left].find((each) => each.when(record, records));
    records.push(record);
    if (scene) left.delete(scene);
    if (scene?.first) say(scene.say);
    if (record.type !== "run.finished") tell(record);
    await shown.heard(record);
    if (!scene || scene.first) return;
    say(scene.say);
    for (const args of scene.show ?? []) await show(args);
    await pause();
  };
}

/** The demo cannot continue after this. The command's own error has been printed. */
function toDemoError(command: string, exit: number): SignalboxError {
  const message = `\`${command}\` exited with code ${exit} in the demo.`;
  return new SignalboxError(
    "INTERNAL",
    message,
    "Inspect the repository with `signalbox demo --keep` and report this bug.",
  );
}

const formatCommandLine = (args: readonly string[]): string => `signalbox ${args.map(quoteArgument).join(" ")}`;
const quoteArgument = (text: string): string => (/^[\w./:@=-]+$/.test(text) ? text : `"${text}"`);
