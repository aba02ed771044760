import { useId, useState } from "react";
import type { RecordedAnswer } from "../../../src/surfaces/server/port/documents.ts";
import type { Choice } from "../../../src/views/page/page.ts";
import { useLive } from "../../app/live.tsx";
import { ApiError, postJson } from "../../data/api.ts";
import { Button } from "../../parts/button.tsx";
import { AnsweredElsewhere, AnsweredHere } from "./answered.tsx";

type Props = {
  readonly id: string;
  readonly hash: string;
  readonly choices: readonly Choice[];
  readonly command: string;
  readonly note?: string;
  /** Called with true when an answer is sent and with false if it is refused. */
  readonly onSent?: (sent: boolean) => void;
};

type AnswerOutcome =
  | { readonly kind: "mine"; readonly answered: RecordedAnswer }
  | { readonly kind: "theirs"; readonly answered: RecordedAnswer }
  | { readonly kind: "refused"; readonly error: Error };

/**
 * The form to answer a question. No choice is preselected, the button repeats the choice, and only the first answer is
 * recorded.
 */
export function AnswerForm({ id, hash, choices, note: begun = "", onSent }: Props) {
  const [choice, setChoice] = useState<Choice | null>(null);
  const [note, setNote] = useState(begun);
  const [busy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<AnswerOutcome | null>(null);
  // One idempotency key per form, so that a repeated request is one answer.
  const [once] = useState(() => crypto.randomUUID());
  const live = useLive();
  if (outcome?.kind === "theirs") return <AnsweredElsewhere answered={outcome.answered} />;
  if (outcome?.kind === "mine") return <AnsweredHere answered={outcome.answered} />;
  const send = async (chosen: Choice): Promise<void> => {
    setBusy(true);
    const body = { choice: chosen.name, hash, ...(note === "" ? {} : { note }) };
    onSent?.(true);
    const result = await sendAnswer(id, body, once);
    setOutcome(result);
    if (result.kind === "refused") onSent?.(false);
    setBusy(false);
  };
  const off = explainDisabled({ choice, note, busy, live });
  return (
    <form className="answer-form" onSubmit={(event) => event.preventDefault()}>
      <fieldset>
        <legend>Choices and their consequences</legend>
        {choices.map((each) => (
          <label key={each.name} className="choice">
            <input type="radio" name={`choice-${id}`} checked={choice === each} onChange={() => setChoice(each)} />
            <strong className={/abort|cancel|drop|reject/.test(each.name) ? "bad" : ""}>{each.name}</strong>
            <span>{each.leadsTo}</span>
          </label>
        ))}
      </fieldset>
      <NoteField value={note} onChange={setNote} choices={choices} isForAgent={choice?.needsWords ?? false} />
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
          <code>{id}</code> · valid for this content only; the first answer counts
        </span>
      </div>
    </form>
  );
}

type NoteProps = {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly choices: readonly Choice[];
  /** The selected choice sends the note to an agent. */
  readonly isForAgent: boolean;
};

function NoteField({ value, onChange, choices, isForAgent }: NoteProps) {
  const field = useId();
  const needing = choices.filter(({ needsWords }) => needsWords).map(({ name }) => name);
  return (
    <div className="note-field">
      <label htmlFor={field}>{isForAgent ? "Note for the next agent" : "Note, recorded with the answer"}</label>
      <textarea
        id={field}
        rows={2}
        value={value}
        placeholder={needing.length > 0 ? `optional; required for ${needing.join(", ")}` : "optional"}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  );
}

type AnswerState = {
  readonly choice: Choice | null;
  readonly note: string;
  readonly busy: boolean;
  readonly live: boolean;
};

function explainDisabled({ choice, note, busy, live }: AnswerState): string | null {
  if (!live) return "not live";
  if (!choice) return "select a choice";
  if (busy) return "sending";
  return choice.needsWords && note.trim() === "" ? "enter a note" : null;
}

async function sendAnswer(id: string, body: unknown, once: string): Promise<AnswerOutcome> {
  try {
    const { answered } = await postJson<{ readonly answered: RecordedAnswer }>(
      `/questions/${encodeURIComponent(id)}/answer`,
      body,
      once,
    );
    return { kind: "mine", answered };
  } catch (error) {
    const refused = error instanceof Error ? error : new Error(String(error));
    if (!(error instanceof ApiError) || error.status !== 409) return { kind: "refused", error: refused };
    const { by, choice, at } = error.body as Partial<RecordedAnswer>;
    if (by === undefined || choice === undefined || at === undefined) return { kind: "refused", error: refused };
    return { kind: "theirs", answered: { by, choice, at } };
  }
}
