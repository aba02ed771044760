import { useState } from "react";
import { PREFLIGHT } from "../../../src/core/authoring/preflight.ts";
import type { PageAction, RunPage } from "../../../src/views/page/page.ts";
import { ApiError } from "../../data/api.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { type AgentChoices, AgentPicker, toAgentFlags } from "./agent-picker.tsx";
import { groupRows } from "./rows.ts";
import { STOP_SAYS, showRun, useAction } from "./use-action.ts";

type Field = {
  readonly name: string;
  readonly label: string;
  readonly options: readonly (readonly [value: string, label: string])[];
  /** Which option is selected initially. */
  readonly first: "first" | "last";
};
type ActionPlan = {
  readonly says: string;
  readonly field?: Field;
  readonly note?: string;
  /** Other agents can be selected. */
  readonly players?: boolean;
  readonly look?: "danger";
  /** The button repeats the name of the agent. */
  readonly names?: boolean;
};

type Props = { readonly page: RunPage; readonly action: PageAction; readonly onClose: () => void };

/** Explains an action before it is executed and asks for its parameters. */
export function ActionDialog({ page, action, onClose }: Props) {
  const plan = planAction(page, action.id);
  const [value, setValue] = useState(plan.field?.options.at(plan.field.first === "last" ? -1 : 0)?.[0] ?? "");
  const [note, setNote] = useState("");
  const [players, setPlayers] = useState<AgentChoices>({});
  const { act, error, off } = useAction(page.head.run, action.id);
  const named = toAgentFlags(players);
  const body = {
    ...(named.length > 0 ? { agents: named } : {}),
    ...(plan.field ? { [plan.field.name]: value } : {}),
    ...(plan.note ? { note } : {}),
  };
  const done = (answer: unknown): void => {
    onClose();
    showRun(answer);
  };
  return (
    <Dialog title={action.label} onClose={onClose}>
      <p>{plan.says}</p>
      {plan.field ? (
        <label className="field">
          {plan.field.label}
          <select value={value} onChange={(event) => setValue(event.target.value)}>
            {plan.field.options.map(([each, label]) => (
              <option key={each} value={each}>
                {label}
              </option>
            ))}
          </select>
        </label>
      ) : null}
      {plan.players ? <AgentPicker page={page} players={players} onChange={setPlayers} /> : null}
      {plan.note ? (
        <label className="field">
          {plan.note}
          <textarea rows={2} value={note} onChange={(event) => setNote(event.target.value)} />
        </label>
      ) : null}
      {error ? (
        <p className="bad" role="alert">
          {error.message} {error instanceof ApiError ? error.hint : ""}
        </p>
      ) : null}
      <p className="buttons">
        <Button onPress={onClose}>Cancel</Button>
        <Button look={plan.look ?? "primary"} off={off} onPress={() => act(body, done)}>
          {plan.names ? `Stop ${page.head.agents.find(({ effect }) => effect === value)?.who ?? ""}` : action.label}
        </Button>
      </p>
    </Dialog>
  );
}

function planAction({ head, rows }: RunPage, id: PageAction["id"]): ActionPlan {
  if (id === "cancel")
    return {
      says: `Cancels the run. Running agents are stopped and nothing more is committed. The records are kept.`,
      note: "Reason (recorded)",
      look: "danger",
    };
  if (id === "stop")
    return {
      says: STOP_SAYS,
      names: true,
      field: {
        name: "effect",
        first: "first",
        label: "Agent",
        options: head.agents.map(({ effect, who, attempt }) => [effect, `${who}, attempt ${attempt}`]),
      },
      look: "danger",
    };
  if (id === "fork")
    return {
      says: "Starts a new run at this phase and reuses what was recorded before it. This run is not changed.",
      field: {
        name: "phase",
        // The phase in which the run stopped: earlier phases need not be repeated.
        first: "last",
        label: "Start at",
        options: groupRows(rows)
          .phases.filter(({ phase, startedAt }) => startedAt !== null && phase !== PREFLIGHT)
          .map(({ phase, title }) => [phase, title || phase]),
      },
      players: true,
    };
  if (id === "land") return { says: "Lands the run's commit on your branch, like `signalbox land`." };
  return { says: "Reverts the landed work with a new commit." };
}
