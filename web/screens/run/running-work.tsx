import { useState } from "react";
import type { RunningAgent, RunningCheck, RunPage } from "../../../src/views/page/page.ts";
import { useLive } from "../../app/live.tsx";
import { hasServer } from "../../app/router.tsx";
import { useNow } from "../../data/hooks.ts";
import { Button } from "../../parts/button.tsx";
import { Columns } from "../../parts/columns.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { formatCount, formatDollars, formatRunningTime, formatTimeOfDay } from "../../parts/format.ts";
import { Glyph } from "../../parts/glyph.tsx";
import { AssumedAmount } from "../../parts/money.tsx";
import { Since } from "../../parts/since.tsx";
import { selectRow } from "./selected-row.ts";
import { STOP_SAYS, useAction } from "./use-action.ts";

/** Running agents and checks: the last action, silence and allowed silence of each. */
export function RunningWork({ page }: { readonly page: RunPage }) {
  const { agents, checks, resting, run, state } = page.head;
  if (agents.length + checks.length + resting.length === 0) return null;
  return (
    <section className="card scroll-x">
      <table className="list dense">
        <Columns
          all={[
            state === "stale" ? "Was running" : "Running",
            "Last action",
            { number: "Silent" },
            { number: "Tokens, cost" },
            { unseen: "Stop" },
          ]}
        />
        <tbody>
          {agents.map((agent) => (
            <Agent key={agent.effect} run={run} agent={agent} rows={page.rows} />
          ))}
          {checks.map((check) => (
            <Check key={`${check.name} ${check.since}`} check={check} />
          ))}
          {resting.map((each) => (
            <tr key={each.who}>
              <td>
                <Glyph state="queued" /> {each.who}
              </td>
              <td colSpan={4} className="quiet-text">
                waiting: {each.because}
                {each.untilMs === null ? "" : `, until ${formatTimeOfDay(each.untilMs)}`}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

type AgentProps = { readonly run: string; readonly agent: RunningAgent; readonly rows: RunPage["rows"] };

function Agent({ run, agent, rows }: AgentProps) {
  const row = rows.find((each) => each.kind === "dispatch" && each.key === agent.key);
  return (
    <tr>
      <td>
        <button type="button" className="link state" onClick={() => row && selectRow(row.id)}>
          <Glyph state={agent.stale ? "interrupted" : "running"} /> {agent.who}
        </button>
        <span className="second nowrap">
          {agent.by === null ? "" : `${agent.by} · `}round {agent.round} · attempt {agent.attempt}
        </span>
      </td>
      <td className="wide">
        {agent.fate ?? <code>{agent.lastAction?.text ?? "no action yet"}</code>}
        <span className="second">
          {agent.lastAction ? formatTimeOfDay(agent.lastAction.at) : `started ${formatTimeOfDay(agent.since)}`}
        </span>
      </td>
      <td className="num">
        {agent.stale ? "?" : <Since at={agent.lastAction?.at ?? agent.since} />}
        {agent.silence ? (
          <span className="second">of {formatRunningTime(agent.silence.forMs + agent.silence.leftMs)}</span>
        ) : null}
      </td>
      <td className="num">
        {agent.said ? (
          <span title="earlier attempts">
            {formatCount(agent.said.tokens)}, {formatDollars(agent.said.usd)}
          </span>
        ) : (
          <span className="quiet-text">not reported yet</span>
        )}
        <span className="second">
          {agent.reservedUsd > 0 ? <AssumedAmount usd={agent.reservedUsd} word="reserved" /> : null}
        </span>
      </td>
      <td>{hasServer() ? <StopButton run={run} agent={agent} /> : null}</td>
    </tr>
  );
}

function Check({ check }: { readonly check: RunningCheck }) {
  const now = useNow();
  return (
    <tr>
      <td>
        <span className="state accent">
          <Glyph state="running" /> check {check.name}
        </span>
        <span className="second">{check.phase}</span>
      </td>
      <td className="wide">
        <code>{check.line}</code>
        <span className="second">since {formatTimeOfDay(check.since, now)}</span>
      </td>
      <td className="num">{formatRunningTime(now - check.since)}</td>
      <td className="num quiet-text">no cost</td>
      <td />
    </tr>
  );
}

function StopButton({ run, agent }: { readonly run: string; readonly agent: RunningAgent }) {
  const live = useLive();
  const [open, setOpen] = useState(false);
  const { act, off, error } = useAction(run, "stop");
  return (
    <>
      <Button
        off={live ? (agent.stale ? "its engine is gone" : off) : "not live"}
        label={`Stop ${agent.who}`}
        onPress={() => setOpen(true)}
      >
        Stop
      </Button>
      {open ? (
        <Dialog title={`Stop ${agent.who}?`} onClose={() => setOpen(false)}>
          <p>{STOP_SAYS}</p>
          {error ? <p className="bad">{error.message}</p> : null}
          <p className="buttons">
            <Button onPress={() => setOpen(false)}>Cancel</Button>
            <Button look="danger" off={off} onPress={() => act({ effect: agent.effect }, () => setOpen(false))}>
              Stop {agent.who}
            </Button>
          </p>
        </Dialog>
      ) : null}
    </>
  );
}
