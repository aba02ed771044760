import type { Call } from "../call.ts";
import { openInPager } from "../output/view-text.ts";
import type { RunStore } from "../runs/run-store.ts";
import { detailsOf, transcriptOf } from "./agent-text.ts";
import type { LiveAction } from "./controls.ts";
import type { LiveTerminal } from "./live-terminal.ts";

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
  const shown = (text: () => Promise<string>) => async (): Promise<undefined> => {
    await away(async () => openInPager(call, await text()));
  };
  return [
    {
      key: "enter",
      also: "d",
      does: "details",
      about: "agent",
      isOn: ({ head }) => head.agents.length > 0,
      act: (agent) => shown(() => detailsOf(store, { run, agent }))(),
    },
    {
      key: "t",
      does: "transcript",
      about: "agent",
      isOn: ({ head }) => head.agents.length > 0,
      act: (agent) => shown(() => transcriptOf(store, { run, agent }))(),
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
    {
      key: "?",
      does: "keys",
      about: "run",
      isOn: () => true,
      act: shown(async () => KEYS),
    },
  ];
}

const KEYS = `Keys while a run is shown

  enter, d   everything about one agent at work
  t          what one agent has said and done
  a          answer the question that you put off
  ?          this list
  ctrl-c     stop: agents are ended, the run can be resumed; once more leaves at once
  ctrl-z     suspend the program; fg goes on

Where several agents work, their numbers choose one.
Lines instead of this: --plain`;
