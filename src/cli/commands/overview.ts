import { existsSync } from "node:fs";
import { PREFLIGHT } from "../../core/authoring/preflight.ts";
import { SignalboxError } from "../../core/failure/errors.ts";
import { toOneLine } from "../../surfaces/terminal/clean-text.ts";
import { formatAge } from "../../surfaces/terminal/duration.ts";
import { describeStatus, formatChoiceCommands } from "../../views/run-status-text.ts";
import type { Call } from "../call.ts";
import { sendAbandoned } from "../notify/sender.ts";
import { resolvePlaces } from "../project/repository.ts";
import { foldRun } from "../runs/fold-run.ts";
import { collectPresence } from "../runs/presence.ts";
import { listPendingApprovals } from "../runs/questions/approvals.ts";
import { withRunStore } from "../runs/run-store.ts";

type RepositoryOverview = {
  readonly repository: string | null;
  readonly newest: {
    readonly run: string;
    readonly pipeline: string;
    readonly status: string;
    readonly because: string;
    readonly startedAt: number;
  } | null;
  readonly questions: readonly {
    readonly approval: string;
    readonly title: string;
    readonly run: string;
    readonly answers: readonly string[];
  }[];
  readonly next: readonly string[];
};

/** Shows the overview for a call without a command: repository, newest run, open questions and next commands. */
export async function showOverview(call: Call): Promise<number> {
  const found = await readOverview(call);
  if (call.json) call.emit({ v: 1, ...found });
  else for (const line of formatOverview(call, found)) call.print(line);
  return 0;
}

async function readOverview(call: Call): Promise<RepositoryOverview> {
  const places = await resolvePlaces(call.dir).catch((error: unknown) => {
    if (error instanceof SignalboxError && error.code === "NOT_A_REPOSITORY") return undefined;
    throw error;
  });
  if (!places)
    return { repository: null, newest: null, questions: [], next: ["signalbox demo", "cd <a git repository>"] };
  const first = existsSync(places.config) ? 'signalbox run "<what you want>"' : "signalbox init";
  const nothing: RepositoryOverview = {
    repository: places.top,
    newest: null,
    questions: [],
    next: [first, "signalbox demo"],
  };
  return withRunStore(
    call,
    async (store) => {
      sendAbandoned(store.places);
      const [row] = await store.host.runs.list();
      if (!row) return nothing;
      const view = await foldRun(store.host, row.id);
      // Phases are left out of this one-line summary; `status` shows them.
      const phases = view.phases.filter(({ title }) => title === PREFLIGHT);
      const { status, because, next } = describeStatus({ ...view, phases }, await collectPresence(store, row, view));
      const pending = (await listPendingApprovals(store)).filter(({ earlier }) => !earlier);
      const questions = pending.map(({ approval }) => {
        const { approval: id, title, run } = approval;
        return { approval: id, title, run, answers: formatChoiceCommands(approval) };
      });
      const newest = { run: row.id, pipeline: row.pipeline, status, because, startedAt: row.createdAt };
      const asked = questions.flatMap(({ run, answers }) => [`signalbox why ${run}`, ...answers]);
      return { repository: places.top, newest, questions, next: [...new Set([...asked, ...next])].slice(0, 4) };
    },
    () => nothing,
  );
}

function formatOverview(
  { paint }: Call,
  { repository, newest, questions, next }: RepositoryOverview,
): readonly string[] {
  const run = newest
    ? [
        `  newest run  ${paint.bold(newest.run)}  ${newest.pipeline}, ${newest.status}, ${formatAge(Date.now() - newest.startedAt)}`,
        paint.dim(`              ${toOneLine(newest.because, 84)}`),
      ]
    : repository
      ? ["  no runs yet"]
      : [];
  const asked = questions
    .slice(0, 5)
    .map(({ title, approval }) => `  ${paint.yellow("◆")} ${toOneLine(title, 70)}  ${approval}`);
  return [
    repository ? paint.bold(repository) : "Not a git repository.",
    ...run,
    ...asked,
    ...(questions.length > 5 ? [`  … and ${questions.length - 5} more: signalbox inbox`] : []),
    ...next.map((line, at) => `  ${at === 0 ? "next: " : "      "}${paint.cyan(line)}`),
    paint.dim("  all commands: signalbox --help"),
  ];
}
