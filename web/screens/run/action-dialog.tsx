import { useState } from "react";
import { PREFLIGHT } from "../../../src/core/authoring/preflight.ts";
import type { PageAction, RunPage } from "../../../src/views/page/page.ts";
import { ApiError } from "../../data/api.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { byKind } from "./rows.ts";
import { STOP_SAYS, showRun, useAction } from "./use-action.ts";
import { asFlags, type Players, WhoPlays } from "./who-plays.tsx";

type Field = {
  readonly name: string;
  readonly label: string;
  readonly options: readonly (readonly [value: string, label: string])[];
  /** Which of them stands there at first. */
  readonly first: "first" | "last";
};
type Plan = {
  readonly says: string;
  readonly field?: Field;
  readonly note?: string;
  /** Other agents can be named. */
  readonly players?: boolean;
  readonly look?: "danger";
  /** The button repeats whom it is about. */
  readonly names?: boolean;
};

type Props = { readonly page: RunPage; readonly action: PageAction; readonly onClose: () => void };

/** Says what will happen before it does, and asks for what only a person knows. */
export function ActionDialog({ page, action, onClose }: Props) {
  const plan = planOf(page, action.id);
  const [value, setValue] = useState(plan.field?.options.at(plan.field.first === "last" ? -1 : 0)?.[0] ?? "");
  const [note, setNote] = useState("");
  const [players, setPlayers] = useState<Players>({});
  const { act, error, off } = useAction(page.head.run, action.id);
  const named = asFlags(players);
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
      {plan.players ? <WhoPlays page={page} players={players} onChange={setPlayers} /> : null}
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
        <Button onPress={onClose}>Leave it</Button>
        <Button look={plan.look ?? "primary"} off={off} onPress={() => act(body, done)}>
          {plan.names ? `Stop ${page.head.agents.find(({ effect }) => effect === value)?.who ?? ""}` : action.label}
        </Button>
      </p>
    </Dialog>
  );
}

function planOf({ head, rows }: RunPage, id: PageAction["id"]): Plan {
  if (id === "cancel")
    return {
      says: `The run ends. Agents at work are stopped; nothing more is committed; its records stay.`,
      note: "Why, for whoever reads it later",
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
      says: "A new run begins with this phase; what was recorded before it is taken over. This run stays as it is.",
      field: {
        name: "phase",
        // Where it stopped: what came before need not be done again.
        first: "last",
        label: "Begin with",
        options: byKind(rows)
          .phases.filter(({ phase, startedAt }) => startedAt !== null && phase !== PREFLIGHT)
          .map(({ phase, title }) => [phase, title || phase]),
      },
      players: true,
    };
  if (id === "land") return { says: "The run's commit comes onto your branch, as `signalbox land` does it." };
  return { says: "What was landed is taken back by a commit of its own." };
}
