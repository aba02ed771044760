import { useMemo, useState } from "react";
import type { QuestionDetails } from "../../../src/surfaces/server/port/documents.ts";
import { Link, toRunPath } from "../../app/router.tsx";
import { useFetched, useStore } from "../../data/hooks.ts";
import { formatDollars } from "../../parts/format.ts";
import { StateWord } from "../../parts/glyph.tsx";
import { Failure, Skeleton } from "../../parts/loading.tsx";
import { CostSum } from "../../parts/money.tsx";
import { QuestionContent } from "../../parts/question-content.tsx";
import { Ago } from "../../parts/since.tsx";
import { listNeeds } from "../home/list-needs.ts";
import { AnswerForm } from "./answer-form.tsx";
import { AnsweredElsewhere } from "./answered.tsx";
import { EvidenceSoFar } from "./evidence-so-far.tsx";

/** The screen of a single question, also for phones. */
export function QuestionScreen({ id }: { readonly id: string }) {
  // Reloads when the list of open questions changes, because someone else may have answered.
  const open = useStore((store) => store.home.value?.needs.some((each) => each.id === id) ?? null);
  const { value, error } = useFetched<QuestionDetails>(`/questions/${encodeURIComponent(id)}`, open);
  const [kept, setKept] = useState<QuestionDetails>();
  if (value && value !== kept) setKept(value);
  const question = value ?? kept;
  if (!question) return error ? <Failure error={error} /> : <Skeleton what={`the question ${id}`} />;
  return <QuestionPage question={question} />;
}

function QuestionPage({ question }: { readonly question: QuestionDetails }) {
  // The list of open questions no longer contains an answered one, but its run does.
  const line = useStore(
    ({ home, pages }) => pages.get(question.run)?.value?.head ?? home.value?.needs.find(({ id }) => id === question.id),
  );
  // The form itself reports the result of the user's answer, even if the update arrives first.
  const [sent, setSent] = useState(false);
  const [wasOpen] = useState(question.answered === null);
  // The position among everything that needs a person, as counted by the inbox.
  const home = useStore((store) => store.home.value);
  const all = useMemo(() => (home ? listNeeds(home) : []), [home]);
  const place = all.findIndex((need) => need.kind === "question" && need.question.id === question.id);
  return (
    <div className="page narrow question-page">
      <p className="back-row">
        <Link href="/inbox">‹ Inbox</Link>
        <span className="quiet-text">{place >= 0 ? `${place + 1} of ${all.length}` : ""}</span>
      </p>
      <StateWord state={question.answered ? "answered" : (all[place]?.state ?? "waiting")} />
      <h1>{question.title}</h1>
      <p className="quiet-text">
        {line ? `${line.repository} · ${line.pipeline} · ${line.request} · ` : ""}
        <Link href={toRunPath(question.run)}>{question.run}</Link>
        <br />
        Asked <Ago at={question.askedAt} />. No time limit.
        {question.answered ? "" : " The run is waiting."}
      </p>
      <h2>Decision</h2>
      <div className="card pad question-shown">
        <QuestionContent show={question.show} brief={question.brief} />
      </div>
      <p>
        <Link href={toRunPath(question.run, "/changes")}>View changes</Link>
      </p>
      <Files files={question.files} />
      <EvidenceSoFar run={question.run} evidence={question.evidence} />
      <h2>Cost so far</h2>
      <p className="card pad">
        <CostSum money={question.cost} />
        <RemainingBudget run={question.run} counted={question.cost.counted} />
      </p>
      <div className="card">
        {question.answered && !sent ? (
          <AnsweredElsewhere answered={question.answered} meanwhile={wasOpen} />
        ) : (
          <AnswerForm
            id={question.id}
            hash={question.hash}
            choices={question.choices}
            command={question.run}
            onSent={setSent}
          />
        )}
        {question.answered ? (
          <p className="pad">
            <Link className="button" href={toRunPath(question.run)}>
              View run
            </Link>
          </p>
        ) : null}
      </div>
    </div>
  );
}

function RemainingBudget({ run, counted }: { readonly run: string; readonly counted: number }) {
  const limit = useStore((store) => store.pages.get(run)?.value?.head.cost.limitUsd ?? null);
  if (limit === null) return null;
  return (
    <span className="second">
      {formatDollars(limit - counted)} of {formatDollars(limit)} left
    </span>
  );
}

function Files({ files }: { readonly files: QuestionDetails["files"] }) {
  return files.map(({ path, text }) => (
    <details key={path} className="card">
      <summary>
        <code>{path}</code>
      </summary>
      <pre className="pad wrap">{text ?? "Cannot be displayed: not text, or too large."}</pre>
    </details>
  ));
}
