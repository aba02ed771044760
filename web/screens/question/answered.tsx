import type { Answered } from "../../data/types.ts";
import { StateWord } from "../../parts/glyph.tsx";
import { Clock } from "../../parts/since.tsx";

export function AnsweredHere({ answered }: { readonly answered: Answered }) {
  return (
    <div className="pad" role="status">
      <StateWord state="answered" />
      <p>
        Recorded: <strong>{answered.choice}</strong> by {answered.by} at <Clock at={answered.at} />. The run goes on.
      </p>
    </div>
  );
}

export function AnsweredElsewhere({ answered }: { readonly answered: Answered }) {
  return (
    <div className="pad" role="status">
      <StateWord state="answered" />
      <p>
        Already answered: <strong>{answered.choice}</strong> by {answered.by} at <Clock at={answered.at} />.
      </p>
      {answered.note ? <p className="quiet-text">“{answered.note}”</p> : null}
      <p className="quiet-text">Nothing was recorded from here. The run goes on with theirs.</p>
    </div>
  );
}
