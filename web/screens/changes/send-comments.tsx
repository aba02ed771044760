import { useState } from "react";
import type { RunPage } from "../../../src/views/page/page.ts";
import { useLive } from "../../app/live.tsx";
import { navigate, toRunPath } from "../../app/router.tsx";
import { ApiError, postJson } from "../../data/api.ts";
import { useStore } from "../../data/hooks.ts";
import { Button } from "../../parts/button.tsx";
import { formatQuantity } from "../../parts/format.ts";
import { type Comment, findRevisionChoice, formatFollowUpRequest, formatNote } from "./comments.ts";

type Props = { readonly page: RunPage; readonly comments: readonly Comment[]; readonly onSent: () => void };

/** Sends comments as the answer of an open question that can return the work, otherwise as a new task. */
export function SendComments({ page, comments, onSent }: Props) {
  const live = useLive();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const line = useStore((store) =>
    [...(store.home.value?.running ?? []), ...(store.home.value?.recent ?? [])].find(
      ({ run }) => run === page.head.run,
    ),
  );
  if (comments.length === 0) return null;
  const open = findRevisionChoice(page);
  const send = async (): Promise<void> => {
    setBusy(true);
    try {
      const run = await (open ? answerQuestion(open, comments) : startTask(page, line?.repositoryId ?? "", comments));
      onSent();
      navigate(toRunPath(run ?? page.head.run));
    } catch (refused) {
      setError(refused instanceof Error ? refused : new Error(String(refused)));
      setBusy(false);
    }
  };
  const noRepository = !open && !line ? "its repository is unknown" : null;
  return (
    <section className="card pad" aria-label="Comments to send">
      <p>
        {formatQuantity(comments.length, "comment")}:{" "}
        {open
          ? `answers the question “${open.question.title}” with ${open.choice} and these comments as the note.`
          : "no open question of this run accepts comments, so a follow-up task is started."}
      </p>
      {error ? (
        <p className="bad" role="alert">
          {error.message} {error instanceof ApiError ? error.hint : ""}
        </p>
      ) : null}
      <Button look="primary" off={live ? (busy ? "sending" : noRepository) : "not live"} onPress={() => void send()}>
        {open ? `Answer: ${open.choice}` : "Start a follow-up task"}
      </Button>
    </section>
  );
}

type RevisionChoice = NonNullable<ReturnType<typeof findRevisionChoice>>;

async function answerQuestion({ question, choice }: RevisionChoice, comments: readonly Comment[]): Promise<undefined> {
  const path = `/questions/${encodeURIComponent(question.approval)}/answer`;
  await postJson(path, { choice, hash: question.hash, note: formatNote(comments) });
}

async function startTask(page: RunPage, repository: string, comments: readonly Comment[]): Promise<string> {
  const request = formatFollowUpRequest(page.head.run, comments);
  const { run } = await postJson<{ readonly run: string }>("/runs", { repository, pipeline: "task", request });
  return run;
}
