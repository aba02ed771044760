import { oneLine } from "../../surfaces/terminal/clean-text.ts";
import type { Call } from "../call.ts";
import { openInPager } from "../output/view-text.ts";
import { pauseRun } from "../runs/control/pause-run.ts";
import { stopAgent } from "../runs/control/stop-agent.ts";
import { findRun } from "../runs/find-run.ts";
import type { RunStore } from "../runs/run-store.ts";
import { personOf } from "../team/person.ts";
import { detailsOf, transcriptOf } from "./agent-text.ts";
import type { LiveAction } from "./controls.ts";
import type { LiveTerminal } from "./live-terminal.ts";
import { openPage } from "./open-page.ts";

export type ActionParts = {
  readonly call: Call;
  readonly store: RunStore;
  readonly run: string;
  readonly away: LiveTerminal["away"];
  /** Questions that were put off. */
  readonly answers?: { isWaiting(): boolean; ask(): void } | undefined;
};

/** What a person can do with a run while it is shown. */
export function actionsFor({ call, store, run, away, answers }: ActionParts): readonly LiveAction[] {
  const shown = (name: string, text: () => Promise<string>) => async (): Promise<undefined> => {
    await away(async () => openInPager(call, { name, text: await text() }));
  };
  const rowOf = async () => findRun(store.host, store.places.top, run);
  return [
    {
      key: "enter",
      also: "d",
      does: "details",
      looks: true,
      about: "agent",
      isOn: ({ head }) => head.agents.length > 0,
      act: (agent) => shown("agent", () => detailsOf(store, { run, agent }))(),
    },
    {
      key: "t",
      does: "transcript",
      looks: true,
      about: "agent",
      isOn: ({ head }) => head.agents.length > 0,
      act: (agent) => shown("transcript", () => transcriptOf(store, { run, agent }))(),
    },
    {
      key: "s",
      does: "stop one agent",
      about: "agent",
      asks: true,
      isOn: ({ head }) => head.agents.length > 0,
      act: async ({ who, effect }) => {
        await stopAgent(store, await rowOf(), { agent: effect, by: personOf(store) });
        return `${oneLine(who, 40)} was stopped`;
      },
    },
    {
      key: "p",
      does: "pause",
      about: "run",
      isOn: ({ head }) => head.state === "running",
      act: async () => {
        await pauseRun(store, await rowOf(), { by: personOf(store) });
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
    { key: "o", does: "page", about: "run", isOn: () => true, act: () => openPage(call) },
    {
      key: "?",
      does: "keys",
      looks: true,
      about: "run",
      isOn: () => true,
      act: shown("keys", async () => KEYS),
    },
  ];
}

const KEYS = `Keys while a run is shown

  enter, d   everything about one agent at work
  t          what one agent has said and done
  s          stop one agent: its attempt ends at once, and the pipeline goes on from there
  p          pause the run: agents are put down, and asked again when it is resumed
  a          answer the question that you put off
  o          the dashboard's link
  ?          this list
  ctrl-c     stop: agents are ended, the run can be resumed; once more leaves at once
  ctrl-z     suspend the program; fg goes on

Where several agents work, their numbers choose one.
Lines instead of this: --plain`;
