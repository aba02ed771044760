import { useLive } from "../../app/live.tsx";
import { Link, navigate, toRunPath } from "../../app/router.tsx";
import { Button } from "../../parts/button.tsx";
import { StateWord } from "../../parts/glyph.tsx";
import { Ago } from "../../parts/since.tsx";
import { useAction } from "../run/use-action.ts";
import type { Need } from "./list-needs.ts";

export function NeedsList({ needs }: { readonly needs: readonly Need[] }) {
  return (
    <ul className="card needs">
      {needs.map((need, index) =>
        need.kind === "question" ? (
          <QuestionNeed key={need.question.id} need={need} first={index === 0} />
        ) : (
          <StaleRunNeed key={need.run.run} need={need} />
        ),
      )}
    </ul>
  );
}

type QuestionNeedProps = { readonly need: Extract<Need, { kind: "question" }>; readonly first: boolean };

/** The oldest need has the primary button. */
function QuestionNeed({ need: { question, state }, first }: QuestionNeedProps) {
  const href = `/q/${encodeURIComponent(question.id)}`;
  return (
    <li>
      <StateWord state={state} />
      <div>
        <Link className="row-title" data-row href={href}>
          {question.title}
        </Link>
        <p className="quiet-text">
          {question.repository} · {question.pipeline} · {question.request}
        </p>
      </div>
      <p className="quiet-text">
        asked <Ago at={question.askedAt} />
        <br />
        anyone with permission can answer; no time limit
      </p>
      <Button look={first ? "primary" : "plain"} onPress={() => navigate(href)}>
        Review and decide
      </Button>
    </li>
  );
}

function StaleRunNeed({ need: { run } }: { readonly need: Extract<Need, { kind: "stale" }> }) {
  const live = useLive();
  const resume = useAction(run.run, "resume");
  return (
    <li>
      <StateWord state="stale" />
      <div>
        <Link className="row-title" data-row href={toRunPath(run.run)}>
          Nothing is running; no recorded work is lost
        </Link>
        <p className="quiet-text">
          {run.repository} · {run.pipeline} · {run.request}
        </p>
        {resume.error ? <p className="bad">{resume.error.message}</p> : null}
      </div>
      <p className="quiet-text">
        last record <Ago at={run.lastAt} />
        <br />
        resume to continue
      </p>
      <Button off={live ? resume.off : "not live"} onPress={() => resume.act({})}>
        Resume
      </Button>
    </li>
  );
}
