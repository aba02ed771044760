import type { RecordedAnswer } from "../../../src/surfaces/server/port/documents.ts";
import { StateWord } from "../../parts/glyph.tsx";
import { Clock } from "../../parts/since.tsx";

export function AnsweredHere({ answered }: { readonly answered: RecordedAnswer }) {
  return (
    <div className="pad" role="status">
      <StateWord state="answered" />
      <p>
        Recorded: <strong>{answered.choice}</strong> by {answered.by} at <Clock at={answered.at} />. The run continues.
      </p>
    </div>
  );
}

type Props = {
  readonly answered: RecordedAnswer;
  /** The question was open when this page was loaded. */
  readonly meanwhile?: boolean;
};

export function AnsweredElsewhere({ answered, meanwhile = true }: Props) {
  return (
    <div className="pad" role="status">
      <StateWord state="answered" />
      <p>
        {meanwhile ? "Already answered" : "Answered"}: <strong>{answered.choice}</strong> by {answered.by} at{" "}
        <Clock at={answered.at} />.
      </p>
      {answered.note ? <p className="quiet-text">“{answered.note}”</p> : null}
      {meanwhile ? <p className="quiet-text">Your answer was not recorded. The run continues with this one.</p> : null}
    </div>
  );
}
