import { useId, useState } from "react";
import type { Answered } from "../../../src/surfaces/server/port/answers.ts";
import type { Choice } from "../../../src/views/page/page.ts";
import { useLive } from "../../app/live.tsx";
import { ApiError, post } from "../../data/api.ts";
import { Button } from "../../parts/button.tsx";
import { AnsweredElsewhere, AnsweredHere } from "./answered.tsx";

type Props = {
  readonly id: string;
  readonly hash: string;
  readonly choices: readonly Choice[];
  readonly command: string;
  readonly note?: string;
  /** From when an answer is sent until it is refused it is this form's own. */
  readonly onSent?: (sent: boolean) => void;
};

type Outcome =
  | { readonly kind: "mine"; readonly answered: Answered }
  | { readonly kind: "theirs"; readonly answered: Answered }
  | { readonly kind: "refused"; readonly error: Error };

/** Nothing is chosen beforehand; the button repeats the choice; an answer is recorded once, whoever is first. */
export function AnswerForm({ id, hash, choices, note: begun = "", onSent }: Props) {
  const [choice, setChoice] = useState<Choice | null>(null);
  const [note, setNote] = useState(begun);
  const [busy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  // One key for one form: sent twice, it is still one answer.
  const [once] = useState(() => crypto.randomUUID());
  const live = useLive();
  if (outcome?.kind === "theirs") return <AnsweredElsewhere answered={outcome.answered} />;
  if (outcome?.kind === "mine") return <AnsweredHere answered={outcome.answered} />;
  const send = async (chosen: Choice): Promise<void> => {
    setBusy(true);
    const body = { choice: chosen.name, hash, ...(note === "" ? {} : { note }) };
    onSent?.(true);
    const said = await answer(id, body, once);
    setOutcome(said);
    if (said.kind === "refused") onSent?.(false);
    setBusy(false);
  };
  const off = whyOff({ choice, note, busy, live });
  return (
    <form className="answer-form" onSubmit={(event) => event.preventDefault()}>
      <fieldset>
        <legend>Choose, and what happens then</legend>
        {choices.map((each) => (
          <label key={each.name} className="choice">
            <input type="radio" name={`choice-${id}`} checked={choice === each} onChange={() => setChoice(each)} />
            <strong className={/abort|cancel|drop|reject/.test(each.name) ? "bad" : ""}>{each.name}</strong>
            <span>{each.leadsTo}</span>
          </label>
        ))}
      </fieldset>
      <NoteField value={note} onChange={setNote} choices={choices} goesOn={choice?.needsWords ?? false} />
      {outcome?.kind === "refused" ? (
        <p className="bad pad" role="alert">
          {outcome.error.message} {outcome.error instanceof ApiError ? outcome.error.hint : ""}
        </p>
      ) : null}
      <div className="answer-bar">
        <Button look="primary" off={off} onPress={() => choice && void send(choice)}>
          Answer{choice ? `: ${choice.name}` : ""}
        </Button>
        <span className="quiet-text">
          <code>{id}</code> · bound to this content; the first answer counts
        </span>
      </div>
    </form>
  );
}

type NoteProps = {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly choices: readonly Choice[];
  /** What is chosen sends the words to an agent. */
  readonly goesOn: boolean;
};

function NoteField({ value, onChange, choices, goesOn }: NoteProps) {
  const field = useId();
  const needing = choices.filter(({ needsWords }) => needsWords).map(({ name }) => name);
  return (
    <div className="note-field">
      <label htmlFor={field}>{goesOn ? "Note, goes to the next agent" : "Note, kept with the answer"}</label>
      <textarea
        id={field}
        rows={2}
        value={value}
        placeholder={needing.length > 0 ? `optional; needed for ${needing.join(", ")}` : "optional"}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  );
}

type Ready = { readonly choice: Choice | null; readonly note: string; readonly busy: boolean; readonly live: boolean };

function whyOff({ choice, note, busy, live }: Ready): string | null {
  if (!live) return "not live";
  if (!choice) return "choose first";
  if (busy) return "sent, not yet recorded";
  return choice.needsWords && note.trim() === "" ? "it needs a note" : null;
}

async function answer(id: string, body: unknown, once: string): Promise<Outcome> {
  try {
    const { answered } = await post<{ readonly answered: Answered }>(
      `/questions/${encodeURIComponent(id)}/answer`,
      body,
      once,
    );
    return { kind: "mine", answered };
  } catch (error) {
    const refused = error instanceof Error ? error : new Error(String(error));
    if (!(error instanceof ApiError) || error.status !== 409) return { kind: "refused", error: refused };
    const { by, choice, at } = error.body as Partial<Answered>;
    if (by === undefined || choice === undefined || at === undefined) return { kind: "refused", error: refused };
    return { kind: "theirs", answered: { by, choice, at } };
  }
}
