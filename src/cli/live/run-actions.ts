import { toOneLine } from "../../surfaces/terminal/clean-text.ts";
import type { Call } from "../call.ts";
import { openInPager } from "../output/pager.ts";
import { pauseRun } from "../runs/control/pause-run.ts";
import { stopAgent } from "../runs/control/stop-agent.ts";
import { findRun } from "../runs/find-run.ts";
import type { RunStore } from "../runs/run-store.ts";
import { getPersonName } from "../team/person.ts";
import { formatAgentDetails, readTranscriptText } from "./agent-text.ts";
import type { LiveAction } from "./controls.ts";
import type { LiveTerminal } from "./live-terminal.ts";
import { openDashboardPage } from "./open-dashboard.ts";

export type ActionContext = {
  readonly call: Call;
  readonly store: RunStore;
  readonly run: string;
  readonly away: LiveTerminal["away"];
  /** Questions postponed by the user. */
  readonly answers?: { isWaiting(): boolean; ask(): void } | undefined;
};

/** Lists the actions that a person can perform on a displayed run. */
export function createRunActions({ call, store, run, away, answers }: ActionContext): readonly LiveAction[] {
  const showInPager = (name: string, text: () => Promise<string>) => async (): Promise<undefined> => {
    await away(async () => openInPager(call, { name, text: await text() }));
  };
  const findRow = async () => findRun(store.host, store.places.top, run);
  return [
    {
      key: "enter",
      also: "d",
      does: "details",
      looks: true,
      about: "agent",
      isOn: ({ head }) => head.agents.length > 0,
      act: (agent) => showInPager("agent", () => formatAgentDetails(store, { run, agent }))(),
    },
    {
      key: "t",
      does: "transcript",
      looks: true,
      about: "agent",
      isOn: ({ head }) => head.agents.length > 0,
      act: (agent) => showInPager("transcript", () => readTranscriptText(store, { run, agent }))(),
    },
    {
      key: "s",
      does: "stop one agent",
      about: "agent",
      asks: true,
      isOn: ({ head }) => head.agents.length > 0,
      act: async ({ who, effect }) => {
        await stopAgent(store, await findRow(), { agent: effect, by: getPersonName(store) });
        return `${toOneLine(who, 40)} was stopped`;
      },
    },
    {
      key: "p",
      does: "pause",
      about: "run",
      isOn: ({ head }) => head.state === "running",
      act: async () => {
        await pauseRun(store, await findRow(), { by: getPersonName(store) });
        return undefined;
      },
    },
    {
      key: "a",
      does: "answer",
      about: "run",
      isOn: () => answers?.isWaiting() ?? false,
      act: async () => {
        answers?.ask();
        return undefined;
      },
    },
    { key: "o", does: "page", about: "run", isOn: () => true, act: () => openDashboardPage(call) },
    {
      key: "?",
      does: "keys",
      looks: true,
      about: "run",
      isOn: () => true,
      act: showInPager("keys", async () => KEYS),
    },
  ];
}

const KEYS = `Keys while a run is shown

  enter, d   details of one running agent
  t          transcript of one agent
  s          terminate one agent: its attempt fails and the run continues
  p          suspend the run: agents are stopped, and restarted when it is resumed
  a          answer the postponed question
  o          open the dashboard
  ?          this list
  ctrl-c     stop agents and suspend the run; press again to exit at once
  ctrl-z     suspend the program; continue with fg

If several agents run, select one by its number.
For plain lines instead of this display, use --plain.`;
