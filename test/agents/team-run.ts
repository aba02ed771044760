import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { parse, stringify } from "yaml";
import type { JournalRecord } from "../../src/core/journal/record.ts";
import { BUILT_IN } from "../../src/pipelines/index.ts";
import { type CommandEnd, makeScene, type Scene } from "../cli/scene.ts";
import { type Dispatch, scriptedModel } from "../model/scripted-model.ts";
import type { ModelServer } from "../model/server.ts";
import type { RealWorld } from "../worlds/world.ts";
import { PROGRAMS, type ProgramName } from "./programs.ts";

const PIPELINES = await Promise.all(Object.values(BUILT_IN).map((load) => load()));

/** The program of each role; `*` for all others. */
export type ProgramsByRole = Readonly<Record<string, ProgramName>>;

export type TeamRun = {
  readonly scene: Scene;
  readonly ended: CommandEnd;
  readonly records: readonly JournalRecord[];
  readonly ms: number;
};

type TeamRunStage = {
  readonly model: ModelServer /** Folders of the installed programs. */;
  readonly folders: readonly string[];
};

/** A whole run by the program that users start: every role is a real agent program whose model follows the world. */
export async function teamRun(
  world: RealWorld,
  cast: ProgramsByRole,
  { model, folders }: TeamRunStage,
): Promise<TeamRun> {
  const journal = (): readonly JournalRecord[] => readRecords(scene);
  const decide = scriptedModel(world.agents, (prompt) => findDispatch(prompt, world.pipeline, journal()));
  const programs = [...new Set(Object.values(cast))];
  const variables = programs.map((name) => PROGRAMS[name].variables(model.answer(name, decide)));
  const PATH = [...folders, process.env["PATH"]].join(":");
  const scene = makeScene({ env: Object.assign({ PATH }, ...variables) });
  for (const [path, text] of Object.entries(world.files)) scene.put(path, text);
  scene.put(".signalbox/config.yaml", stringify({ ...parse(world.config), agents: createAgents(cast) }));
  scene.git("add", ".");
  scene.git("commit", "-qm", "begin");
  const from = performance.now();
  const ended = await scene.signalbox("run", world.pipeline, ...world.args, "--approvals", "autonomous", "--json");
  return { scene, ended, records: journal(), ms: performance.now() - from };
}

function createAgents(cast: ProgramsByRole) {
  const agents = Object.entries(cast).map(([role, driver]) => [role, { driver, model: PROGRAMS[driver].model }]);
  return Object.fromEntries(agents);
}

/** Works during the run too: an attempt is in the journal before its program starts. */
function readRecords({ repo }: Scene): readonly JournalRecord[] {
  const db = new DatabaseSync(join(repo, ".signalbox/signalbox.db"), { readOnly: true });
  try {
    const rows = db.prepare("SELECT run, fact FROM journal ORDER BY seq").all();
    // Written by the host, which accepts only records.
    return rows.map(({ run, fact }) => ({ run, ...JSON.parse(String(fact)) }) as JournalRecord);
  } finally {
    db.close();
  }
}

/** Finds the dispatch by the prompt's nonce, which is unique. */
function findDispatch(prompt: string, pipeline: string, records: readonly JournalRecord[]): Dispatch | undefined {
  const started = records.find((each) => each.type === "agent.started" && prompt.includes(each.nonce));
  if (started?.type !== "agent.started") return undefined;
  const step = records.find((each) => each.type === "step.started" && each.key === started.key);
  const dialect = PIPELINES.find(({ name }) => name === pipeline)?.dialect;
  if (step?.type !== "step.started" || !dialect) return undefined;
  return { ...started, task: started.task ?? "", pipeline, phase: step.phase, dialect };
}
