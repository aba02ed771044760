import { SignalboxError } from "../../core/failure/errors.ts";
import type { Json } from "../../core/text/json.ts";
import { redactDeep } from "../../core/text/redact-deep.ts";
import { createFolderMailbox } from "../../drivers/mailbox/folder-mailbox.ts";
import type { McpPort, RunTask, StartOrder } from "../../surfaces/mcp/port.ts";
import { toOneLine } from "../../surfaces/terminal/clean-text.ts";
import { describeStatus } from "../../views/run-status-text.ts";
import type { Call } from "../call.ts";
import { resolvePlaces } from "../project/repository.ts";
import { createRedactor } from "../secrets/redactor.ts";
import { startDetached } from "../start/detach.ts";
import { runOwnCommand } from "../start/own-command.ts";
import { getPersonName } from "../team/person.ts";
import { requestDrive } from "../team/request-drive.ts";
import { requireCaller } from "../trust/callers.ts";
import { findRun } from "./find-run.ts";
import { foldRun } from "./fold-run.ts";
import { guardMailbox } from "./guard-mailbox.ts";
import { collectPresence } from "./presence.ts";
import { createAlreadyAnsweredError } from "./questions/already-answered.ts";
import { findApproval, listPendingApprovals, toQuestionDocument } from "./questions/approvals.ts";
import { postFirstAnswer } from "./questions/post-answer.ts";
import { readQuestionFiles } from "./questions/question-text.ts";
import { isOwned, type RunStore, withRunStore } from "./run-store.ts";

/** Implements the MCP tools with the program's own commands and their JSON output. */
export async function createMcpPort(call: Call, version: string): Promise<McpPort> {
  const places = await resolvePlaces(call.dir);
  const allow = (tool: string) => requireCaller({ command: `mcp ${tool}`, dir: places.top });
  const resume = (asked?: string) =>
    withRunStore(call, async (store) => {
      const row = await findRun(store.host, places.top, asked);
      if (isOwned(store, row)) return { run: row.id, resumed: false, because: "an engine is running it" };
      if (store.team) await requestDrive({ ...store, team: store.team }, row.id);
      else startDetached(places, row.id);
      return { run: row.id, resumed: true };
    });
  return {
    version,
    mailbox: guardMailbox(createFolderMailbox({ dir: places.mailbox, now: Date.now }), {
      call,
      allow: () => allow("dispatch"),
    }),
    see: async (what, run) => captureOutput(call, await loadCommand(what), run),
    start: async (order) => {
      await allow("run_start");
      return startNewRun(places.top, order);
    },
    resume: async (run) => {
      await allow("run_resume");
      return resume(run);
    },
    pause: async (run, note) => {
      await allow("run_pause");
      const { pauseAndPrint } = await import("../commands/pause.ts");
      return captureOutput(
        call,
        (quiet, asked) => pauseAndPrint(quiet, asked, note === undefined ? {} : { note }),
        run,
      );
    },
    stop: async (run, { agent, note }) => {
      await allow("run_stop");
      const { stopOneAgent } = await import("../commands/stop.ts");
      return captureOutput(
        call,
        (quiet) => stopOneAgent(quiet, { run, agent, ...(note === undefined ? {} : { note }) }),
        run,
      );
    },
    cancel: async (run) => {
      await allow("run_cancel");
      const { cancelRun } = await import("../commands/cancel.ts");
      return captureOutput(call, (quiet, asked) => cancelRun(quiet, asked, {}), run);
    },
    task: (run) => withRunStore(call, (store) => describeTask(store, run)),
    question: async (id) => {
      await allow("question_answer");
      return withRunStore(call, async (store) => {
        const { row, approval, earlier } = await findApproval(store, id);
        // Checked before the question is displayed to a person: an answered one offers no choice.
        if (earlier) throw createAlreadyAnsweredError({ approval: approval.approval, earlier, now: store.world.now() });
        const files = await readQuestionFiles({ store, asked: approval, view: await foldRun(store.host, row.id) });
        const { approval: named, ...asked } = toQuestionDocument(approval);
        return { id: named, run: row.id, ...asked, files };
      });
    },
    async answer(id, { choice, note, through }) {
      await allow("question_answer");
      const run = await withRunStore(call, async (store) => {
        const pending = await findApproval(store, id);
        const by = `${getPersonName(store)} through ${through}`;
        await postFirstAnswer(store, pending, { choice, by, ...(note === undefined ? {} : { note }) });
        return pending.row.id;
      });
      return { id, choice, ...(await resume(run)) };
    },
  };
}

/** Returns the state of a run for polling clients. */
async function describeTask(store: RunStore, run: string): Promise<RunTask> {
  const row = await store.host.runs.get(run);
  if (!row)
    throw new SignalboxError(
      "RUN_UNKNOWN",
      `No run in this repository has the id "${run}".`,
      "List runs with run_list.",
    );
  const view = await foldRun(store.host, run);
  const { because, next } = describeStatus(view, await collectPresence(store, row, view));
  const pending = await listPendingApprovals(store);
  const mine = pending.filter(({ row: { id }, approval, earlier }) => id === run && !earlier && !approval.pause);
  const ended = view.end?.type === "run.finished" ? view.status : undefined;
  const [first] = next;
  return {
    run,
    createdAt: row.createdAt,
    updatedAt: view.lastAt,
    because: store.world.redact(toOneLine(ended === undefined && first ? `${because}; ${first}` : because, 400)),
    ended,
    questions: mine.map(({ approval }) => ({ id: approval.approval })),
  };
}

type Command = (call: Call, run: string | undefined) => Promise<number>;

async function loadCommand(what: Parameters<McpPort["see"]>[0]): Promise<Command> {
  if (what === "runs") return (await import("../commands/ps.ts")).listRuns;
  if (what === "status") return (await import("../commands/status.ts")).showStatus;
  if (what === "why") return (await import("../commands/why.ts")).explainRun;
  if (what === "questions") {
    const { showInbox } = await import("../commands/inbox.ts");
    return (call) => showInbox(call);
  }
  if (what === "evidence") {
    const { showEvidence } = await import("../commands/evidence.ts");
    return (call, run) => showEvidence(call, run, {});
  }
  const { listPipelines } = await import("../commands/pipelines.ts");
  return (call) => listPipelines(call, {});
}

/**
 * Runs a command without output. Standard output belongs to the protocol, so the emitted documents are returned as the
 * tool's result.
 */
async function captureOutput(call: Call, command: Command, run: string | undefined): Promise<Json> {
  const documents: Json[] = [];
  const redact = createRedactor(process.env);
  const quiet: Call = {
    ...call,
    json: true,
    terminal: false,
    print: () => {},
    verbatim: () => {},
    // Emitted documents are JSON values.
    emit: (document) => documents.push(redactDeep(document as Json, redact)),
  };
  await command(quiet, run);
  return documents.length === 1 ? (documents[0] ?? null) : documents;
}

function startNewRun(top: string, { pipeline, request, input = {}, approvals, agents }: StartOrder): Promise<Json> {
  const flags = [
    ...(agents === "mailbox" ? ["--agent", "*=mailbox"] : []),
    ...(approvals === undefined ? [] : ["--approvals", approvals]),
  ];
  const args = ["run", "--input", "@-", ...flags, "--detach", "--json", "--", pipeline];
  return runOwnCommand({ top, args, input: { ...(request === undefined ? {} : { request }), ...input } });
}
