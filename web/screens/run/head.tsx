import type { RunPage } from "../../../src/views/page/page.ts";
import { usePhone } from "../../app/phone.ts";
import { hasServer } from "../../app/router.tsx";
import { useNow } from "../../data/hooks.ts";
import { formatQuantity, formatRunningTime, formatTimeOfDay } from "../../parts/format.ts";
import { StateWord } from "../../parts/glyph.tsx";
import { Actions } from "./actions.tsx";
import { isOver } from "./final-status.ts";
import { groupRows } from "./rows.ts";

export const ENDED = new Set(["done", "ended", "error", "canceled"]);

/**
 * The first line has the state, what the run waits for and since when, and whose action is needed. The second has the
 * reason and next steps.
 */
export function RunHead({ page, actions = true }: { readonly page: RunPage; readonly actions?: boolean }) {
  const { head } = page;
  return (
    <header className="run-head with-actions">
      <Crumb page={page} />
      <div className="run-lines">
        <h1 className="first-line">
          <StateWord state={head.state} /> <FirstLine page={page} />
        </h1>
        <SecondLine page={page} />
        {head.caveats.map((caveat) => (
          <p key={caveat} className="warn">
            {caveat}
          </p>
        ))}
      </div>
      {hasServer() && actions ? <Actions page={page} /> : null}
    </header>
  );
}

export function Crumb({ page: { head }, last }: { readonly page: RunPage; readonly last?: string }) {
  const parts = [
    head.repository,
    head.request,
    `${head.pipeline} v${head.version}`,
    `approvals ${head.approvals}${head.counts.answeredByRule > 0 ? `: ${head.counts.answeredByRule} answered by rule` : ""}`,
  ];
  return (
    <p className="crumb">
      {parts.filter((part) => part !== "").join(" · ")} · <code>{head.run}</code>
      {last ? ` · ${last}` : ""}
    </p>
  );
}

const COMMAND = /^signalbox (\S+)/;

/** Returns whether a button does the same as the command. */
function hasButton({ actions }: RunPage["head"], line: string): boolean {
  const name = line.match(COMMAND)?.[1];
  const id = name === "run" && line.includes("--from") ? "fork" : name;
  return hasServer() && actions.some((action) => action.id === id && action.off === null);
}

/** Commands whose output this page shows. Reports still list them. */
const SHOWN_COMMANDS = new Set(["events", "why", "diff", "status"]);

/** Lists the next phase of a running run, otherwise the commands that no button or tab covers. */
function listNextSteps({ head, rows }: RunPage, phone: boolean): readonly string[] {
  if (head.state === "running") {
    const { phases } = groupRows(rows);
    const after = phases.slice(phases.findLastIndex(({ startedAt }) => startedAt !== null) + 1)[0];
    return after ? [after.title || after.phase] : [];
  }
  return head.next.filter((line) => {
    const name = line.match(COMMAND)?.[1];
    if (name === undefined) return true;
    return !phone && !(hasServer() && SHOWN_COMMANDS.has(name)) && !hasButton(head, line);
  });
}

function SecondLine({ page }: { readonly page: RunPage }) {
  const { head } = page;
  const next = listNextSteps(page, usePhone());
  const because = head.because === head.waitsFor.text ? "" : toSentence("Reason:", head.because);
  if (head.state === "waiting")
    return <p className="second-line">{because} Next: your answer. The run is waiting, without a time limit.</p>;
  return (
    <p className="second-line">
      {because} {next.length > 0 ? "Next: " : ""}
      {next.map((line, index) => (
        <span key={line}>
          {index > 0 ? " or " : ""}
          {COMMAND.test(line) ? <code>{line}</code> : line}
        </span>
      ))}
    </p>
  );
}

function FirstLine({ page: { head } }: { readonly page: RunPage }) {
  const { text, since, needs } = head.waitsFor;
  const over = isOver(head);
  const now = useNow(!over);
  const missed = head.counts.gatesMissed;
  return (
    <span>
      {describeActivity(
        head,
        text,
        over ? "" : ` since ${formatTimeOfDay(since, now)} (${formatRunningTime(now - since)})`,
      )}{" "}
      {needs === "nobody" ? "No action needed." : `Needs ${needs}.`}
      {head.state === "ended" && missed > 0 ? (
        <span className="bad"> {formatQuantity(missed, "gate")} did not pass.</span>
      ) : null}
      {head.confidence ? <span className="quiet-text"> Confidence {head.confidence}.</span> : null}
    </span>
  );
}

function toSentence(first: string, text: string): string {
  if (text === "") return "";
  const [line, ...more] = text.split("\n").map((each) => (/[.:;,?!]$/.test(each) ? each : `${each}.`));
  return [`${first} ${line}`, ...more].join(" ");
}

/** Describes the activity of a run, or what it waits for. */
function describeActivity({ state, status }: RunPage["head"], text: string, since: string): string {
  const said = text.replace(/\.$/, "");
  if (state === "waiting") return `Waiting for an answer${since}: ${said}${/[?!]$/.test(said) ? "" : "."}`;
  if (isOver({ status }) || state === "error") return `${capitalize(said)}${since}.`;
  if (state === "paused" || state === "interrupted") return `Suspended${since}: ${said}.`;
  return `${capitalize(said)},${since}.`;
}

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
