import { oneLine } from "../../surfaces/terminal/clean-text.ts";
import type { Key } from "../../surfaces/terminal/live/footer.ts";
import type { AgentAtWork, RunPage } from "../../views/page/page.ts";
import { suspend } from "./suspension.ts";

/** What a key does, where it can be done now. */
export type LiveAction = Key & {
  /** Another key for the same. */
  readonly also?: string;
  /** It changes nothing. */
  readonly looks?: true;
  /** The number is asked for even where one agent works alone: it cannot be undone. */
  readonly asks?: true;
  /** Hidden where it would do nothing. */
  isOn(page: RunPage): boolean;
} & (
    | { readonly about: "run"; act(): Promise<string | undefined> }
    /** One agent, chosen by its number where several work. */
    | { readonly about: "agent"; act(agent: AgentAtWork): Promise<string | undefined> }
  );

export type Controls = {
  pressed(key: string): void;
  keys(): readonly Key[];
  notice(): string | undefined;
  /** Agents are numbered: one of them is to be chosen. */
  isChoosing(): boolean;
};

type Parts = {
  readonly actions: readonly LiveAction[];
  page(): RunPage;
  changed(): void;
};

/** As many as there are digits for. */
const MOST = 9;

export function createControls({ actions, page, changed }: Parts): Controls {
  let notice: string | undefined;
  let choosing: Extract<LiveAction, { about: "agent" }> | undefined;

  const say = (text: string | undefined): void => {
    notice = text;
    changed();
  };
  const perform = (act: () => Promise<string | undefined>): void => {
    choosing = undefined;
    say(undefined);
    act().then(say, (error: unknown) => say(error instanceof Error ? oneLine(error.message) : "that did not work"));
  };
  const choose = (key: string): void => {
    const [action, agent] = [choosing, page().head.agents[Number(key) - 1]];
    if (action && agent && /^[1-9]$/.test(key)) perform(() => action.act(agent));
    else {
      choosing = undefined;
      say(undefined);
    }
  };
  const begin = (action: LiveAction): void => {
    const agents = page().head.agents.slice(0, MOST);
    const [first] = agents;
    if (action.about === "run") perform(action.act);
    else if (first && agents.length === 1 && !action.asks) perform(() => action.act(first));
    else {
      choosing = action;
      say(`${action.does}: which agent? ${agents.length > 1 ? `1–${agents.length}` : "1"}, any other key for none`);
    }
  };

  return {
    notice: () => notice,
    isChoosing: () => choosing !== undefined,
    keys: () => actions.filter((action) => action.isOn(page())),
    pressed(key) {
      // As the terminal itself would: whoever listens to the signals decides what they mean.
      if (key === "ctrl-c") process.kill(process.pid, "SIGINT");
      else if (key === "ctrl-z") suspend();
      else if (choosing) choose(key);
      else {
        const action = actions.find((each) => (each.key === key || each.also === key) && each.isOn(page()));
        if (action) begin(action);
        else if (notice !== undefined) say(undefined);
      }
    },
  };
}
