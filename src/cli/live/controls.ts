import { toOneLine } from "../../surfaces/terminal/clean-text.ts";
import type { KeyBinding } from "../../surfaces/terminal/live/footer.ts";
import type { RunningAgent, RunPage } from "../../views/page/page.ts";
import { suspendGroup } from "./suspension.ts";

/** Action of a key and the condition under which it is available. */
export type LiveAction = KeyBinding & {
  /** Second key for the same action. */
  readonly also?: string;
  /** The action is read-only. */
  readonly looks?: true;
  /** Ask for the agent's number even if only one runs, because the action cannot be undone. */
  readonly asks?: true;
  /** The key is hidden while this is false. */
  isOn(page: RunPage): boolean;
} & (
    | { readonly about: "run"; act(): Promise<string | undefined> }
    /** Applies to one agent, selected by number if several run. */
    | { readonly about: "agent"; act(agent: RunningAgent): Promise<string | undefined> }
  );

export type Controls = {
  pressed(key: string): void;
  keys(): readonly KeyBinding[];
  notice(): string | undefined;
  /** Agents are shown with numbers for selection. */
  isChoosing(): boolean;
};

type ControlOptions = {
  readonly actions: readonly LiveAction[];
  page(): RunPage;
  changed(): void;
};

/** Limited by the single digit keys. */
const MAX_AGENTS = 9;

export function createControls({ actions, page, changed }: ControlOptions): Controls {
  let notice: string | undefined;
  let choosing: Extract<LiveAction, { about: "agent" }> | undefined;

  const setNotice = (text: string | undefined): void => {
    notice = text;
    changed();
  };
  const perform = (act: () => Promise<string | undefined>): void => {
    choosing = undefined;
    setNotice(undefined);
    act().then(setNotice, (error: unknown) =>
      setNotice(error instanceof Error ? toOneLine(error.message) : "the action failed"),
    );
  };
  const chooseAgentKey = (key: string): void => {
    const [action, agent] = [choosing, page().head.agents[Number(key) - 1]];
    if (action && agent && /^[1-9]$/.test(key)) perform(() => action.act(agent));
    else {
      choosing = undefined;
      setNotice(undefined);
    }
  };
  const beginAction = (action: LiveAction): void => {
    const agents = page().head.agents.slice(0, MAX_AGENTS);
    const [first] = agents;
    if (action.about === "run") perform(action.act);
    else if (first && agents.length === 1 && !action.asks) perform(() => action.act(first));
    else {
      choosing = action;
      setNotice(
        `${action.does}: which agent? ${agents.length > 1 ? `1–${agents.length}` : "1"}, any other key cancels`,
      );
    }
  };

  return {
    notice: () => notice,
    isChoosing: () => choosing !== undefined,
    keys: () => actions.filter((action) => action.isOn(page())),
    pressed(key) {
      // Sent as a signal, as the terminal would do outside raw mode: signal handlers decide what to do.
      if (key === "ctrl-c") process.kill(process.pid, "SIGINT");
      else if (key === "ctrl-z") suspendGroup();
      else if (choosing) chooseAgentKey(key);
      else {
        const action = actions.find((each) => (each.key === key || each.also === key) && each.isOn(page()));
        if (action) beginAction(action);
        else if (notice !== undefined) setNotice(undefined);
      }
    },
  };
}
