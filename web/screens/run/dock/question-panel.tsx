import type { QuestionRow, RunPage } from "../../../../src/views/page/page.ts";
import { hasServer, Link } from "../../../app/router.tsx";
import { Glyph } from "../../../parts/glyph.tsx";
import { QuestionContent } from "../../../parts/question-content.tsx";
import { Ago, Clock } from "../../../parts/since.tsx";
import { AnswerForm } from "../../question/answer-form.tsx";

/** A question with its content and, while it is open, its choices. */
export function QuestionPanel({ page, row }: { readonly page: RunPage; readonly row: QuestionRow }) {
  return (
    <>
      <header className={row.answer ? "dock-head" : "dock-head asks"}>
        <h2>
          <Glyph state={row.state} /> {row.title}
        </h2>
        <p className="quiet-text">
          <code>{row.approval}</code> · asked <Ago at={row.askedAt} />
          {hasServer() ? (
            <>
              {" · "}
              <Link href={`/q/${encodeURIComponent(row.approval)}`}>full content</Link>
            </>
          ) : null}
        </p>
      </header>
      <div className="pad question-shown">
        <QuestionContent show={row.show} brief={row.brief} />
        {row.paths.length > 0 ? <p className="quiet-text">{row.paths.join(" · ")}</p> : null}
      </div>
      {row.answer ? (
        <p className="pad">
          Answered: <strong>{row.answer.choice}</strong> by {row.answer.by} at <Clock at={row.answer.at} />
          {row.answer.note ? <span className="quiet-text"> “{row.answer.note}”</span> : null}
        </p>
      ) : hasServer() ? (
        <AnswerForm
          key={row.approval}
          id={row.approval}
          hash={row.hash}
          choices={row.choices}
          command={page.head.run}
        />
      ) : (
        <p className="pad">Open when this report was created.</p>
      )}
    </>
  );
}
