import { basename } from "node:path";
import { SignalboxError } from "../../core/failure/errors.ts";
import { formatTable } from "../../surfaces/terminal/table.ts";
import type { Call } from "../call.ts";
import { formatAnswer, formatAsking } from "../doctor/answer-lines.ts";
import { type AskResult, askRepositoryAgents } from "../doctor/ask-repository-agents.ts";
import { examineSetup } from "../doctor/examine-setup.ts";
import { sendTestNotices } from "../doctor/notify-symptoms.ts";
import { type Symptom, toUserError } from "../doctor/symptom.ts";
import { isUnfit, runTrial, type Trial } from "../doctor/trial.ts";
import { announceTrial, createTrialPrinter, formatTrial } from "../doctor/trial-lines.ts";
import { formatFix, wrapCommandText } from "../output/command-text.ts";
import { loadConfigLayers } from "../project/config-sources.ts";
import { inspectProject, openProject } from "../project/project.ts";
import { resolveSettings } from "../project/settings.ts";
import { NO_CHECK_HINT } from "../start/run-problems.ts";
import { formatTrustHint, mayRun } from "../trust/trust.ts";

export type DoctorFlags = {
  readonly ask?: boolean;
  readonly checks?: boolean;
  readonly notify?: boolean;
  readonly trust?: boolean;
};

const GLYPHS = { fine: "✓", missing: "✗", note: "!" } as const;

/** Checks the prerequisites of a run and prints the command that fixes each problem. */
export async function runDoctor(call: Call, flags: DoctorFlags): Promise<number> {
  const symptoms = await examineSetup(call, flags);
  printSymptoms(call, symptoms);
  const asked = flags.ask ? await askInstalledAgents(call, flags) : undefined;
  const tried = flags.checks ? await tryChecks(call, flags) : undefined;
  const told = flags.notify ? await testTargets(call, flags) : undefined;
  const unfit = tried !== undefined && (tried.refused !== undefined || tried.trial.checks.some(isUnfit));
  const lacks = listMissing([...symptoms, ...(told ?? [])], { asked, unfit });
  const ready = lacks.length === 0;
  const documents = { ...toAskDocument(asked), ...toTrialDocument(tried), ...(told ? { told } : {}) };
  if (call.json) call.emit({ v: 1, ready, lacks, checks: symptoms, ...documents });
  else for (const line of formatVerdict(call, { lacks, tried: tried !== undefined && !unfit })) call.print(line);
  return asked?.exit ?? tried?.trial?.exit ?? chooseDoctorExit(lacks, flags);
}

type DoctorResults = { readonly asked: AskResult | undefined; readonly unfit: boolean };

function listMissing(symptoms: readonly Symptom[], { asked, unfit }: DoctorResults): readonly string[] {
  const failed = asked?.answers.some(({ needed, outcome }) => needed && outcome === "failed") ?? false;
  const missing = symptoms.flatMap(({ state, what }) => (state === "missing" ? [what] : []));
  const silent = failed || asked?.refused !== undefined;
  return [...new Set([...missing, ...(silent ? ["agents"] : []), ...(unfit ? ["checks"] : [])])];
}

/** `--checks` alone reports missing agents but exits by the checks; `--notify` alone exits by the test message. */
function chooseDoctorExit(lacks: readonly string[], { ask, checks, notify }: DoctorFlags): number {
  const isRelevant = (what: string): boolean => (checks ? what !== "agents" : !notify || what === "notify");
  const asked = ask ? lacks : lacks.filter(isRelevant);
  return asked.length === 0 ? 0 : 4;
}

type TrialOutcome =
  | { readonly trial: Trial; readonly refused?: never }
  | { readonly trial?: never; readonly refused: SignalboxError };

function toTrialDocument(tried: TrialOutcome | undefined) {
  if (!tried) return {};
  if (!tried.refused) return { tried: tried.trial };
  const { code, message, hint } = tried.refused;
  return { tried: null, notTried: { code, message, hint } };
}

/** Runs setup and checks, which execute commands that the repository chose. */
async function tryChecks(call: Call, flags: DoctorFlags): Promise<TrialOutcome> {
  const printLines = (lines: readonly string[]): void => {
    if (!call.json) for (const line of lines) call.print(line);
  };
  try {
    // A person at the terminal is asked for trust here instead of being sent to `init` and back.
    const asks = call.terminal && !call.json;
    const project = await (asks ? openProject(call, flags) : inspectProject(call, flags));
    if (!mayRun(project.trust)) throw new SignalboxError("UNTRUSTED", UNTRIED, formatTrustHint(call));
    const settings = resolveSettings(await loadConfigLayers(project.places));
    if (settings.commands.length === 0)
      throw new SignalboxError("NO_CHECKS", "no checks are configured", NO_CHECK_HINT);
    printLines([announceTrial(call, settings)]);
    const trial = await runTrial(project, { ...settings, say: createTrialPrinter(call) });
    printLines(formatTrial(call, trial));
    return { trial };
  } catch (error) {
    const refused = toUserError(error);
    printLines(formatSymptoms(call, [{ what: "checks", state: "missing", says: refused.message, get: refused.hint }]));
    return { refused };
  }
}

/** Sends a test message to each target. Targets that the repository names need your trust. */
async function testTargets(call: Call, flags: DoctorFlags): Promise<readonly Symptom[]> {
  const { places, trust } = await inspectProject(call, flags);
  const { targets } = resolveSettings(await loadConfigLayers(places));
  const allowed = targets.filter(({ brought }) => !brought || mayRun(trust));
  const told = [
    ...(await sendTestNotices(basename(places.top), allowed)),
    ...toUntrustedSymptoms(targets.length - allowed.length),
  ];
  printSymptoms(call, told);
  return told;
}

function toUntrustedSymptoms(count: number): readonly Symptom[] {
  if (count === 0) return [];
  return [
    {
      what: "notify",
      state: "missing",
      says: "targets named by the repository need your trust",
      get: "signalbox init",
    },
  ];
}

const UNTRIED = "no check was tried: the repository's configuration is not trusted yet";

function toAskDocument(asked: AskResult | undefined) {
  if (!asked?.refused) return asked ? { asked: asked.answers } : {};
  const { code, message, hint } = asked.refused;
  return { asked: [], notAsked: { code, message, hint } };
}

type DoctorVerdict = { readonly lacks: readonly string[]; readonly tried: boolean };

function formatVerdict({ paint }: Call, { lacks, tried }: DoctorVerdict): readonly string[] {
  const checks = tried && lacks.length > 0 ? [`${paint.green("✓")} every check can run here`] : [];
  if (lacks.length === 0) return [`${paint.green("✓")} ready to start a run`];
  return [...checks, `${paint.red("✗")} not ready to start a run; missing: ${lacks.join(", ")}`];
}

async function askInstalledAgents(call: Call, flags: DoctorFlags): Promise<AskResult> {
  const printLines = (line: string): void => {
    if (!call.json) call.print(line);
  };
  const asked = await askRepositoryAgents(call, flags, {
    begins: (agents) => wrapCommandText(formatAsking(agents), { width: call.width, indent: 3 }).forEach(printLines),
    heard: (answer) => {
      for (const line of formatAnswer(call.paint, answer))
        wrapCommandText(line, { width: call.width, indent: 3 }).forEach(printLines);
    },
  });
  if (asked.refused) {
    const { message, hint } = asked.refused;
    for (const line of formatSymptoms(call, [{ what: "asking", state: "missing", says: message, get: hint }]))
      printLines(line);
  }
  return asked;
}

function printSymptoms(call: Call, symptoms: readonly Symptom[]): void {
  if (!call.json) for (const line of formatSymptoms(call, symptoms)) call.print(line);
}

function formatSymptoms({ paint, width }: Call, symptoms: readonly Symptom[]): readonly string[] {
  const colour = { fine: paint.green, missing: paint.red, note: paint.yellow };
  const rows = symptoms.map(({ what, state, says }) => [
    { text: GLYPHS[state], painted: colour[state](GLYPHS[state]) },
    { text: what, painted: paint.bold(what) },
    { text: says },
  ]);
  const lines = formatTable(rows, 2);
  const indent = Math.max(...symptoms.map(({ what }) => what.length)) + 5;
  return symptoms.flatMap(({ get, what }, at) => {
    const before = symptoms[at - 1]?.what === what;
    const line = before ? (lines[at] ?? "").replace(paint.bold(what), " ".repeat(what.length)) : (lines[at] ?? "");
    const help = get === undefined ? [] : [`${" ".repeat(indent)}${paint.dim("fix:")} ${paint.cyan(formatFix(get))}`];
    return [line, ...help].flatMap((each) => wrapCommandText(each, { width, indent }));
  });
}
