import { useEffect, useState } from "react";
import type { Transcript, TranscriptEntry } from "../../../../src/surfaces/server/port/documents.ts";
import type { DispatchRow } from "../../../../src/views/page/page.ts";
import { hasServer } from "../../../app/router.tsx";
import { buildQuery, fetchJson } from "../../../data/api.ts";
import { useFetched } from "../../../data/hooks.ts";
import { getReportTranscript } from "../../../data/report-data.ts";
import { LoadingText } from "../../../parts/loading.tsx";

type Props = { readonly run: string; readonly row: DispatchRow };

/** How often the transcript of a running agent is reloaded. */
const RELOAD_MS = 2000;

/** The messages and actions of an agent, updated while it runs. */
export function TranscriptPanel({ run, row }: Props) {
  const effect = row.attempts.at(-1)?.effect ?? "";
  const { entries, complete, error } = useTranscript(run, effect);
  if (entries.length === 0) {
    if (error || !complete) return <LoadingText error={error} what="the transcript" />;
    return <p className="pad quiet-text">No output.</p>;
  }
  return (
    <ol className="transcript">
      {entries.map((entry, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a transcript only grows.
        <li key={index} className={entry.kind}>
          <span className="quiet-text">{entry.kind}</span>
          <span className="prose">{entry.text}</span>
        </li>
      ))}
      {complete ? null : <li className="quiet-text">Still running.</li>}
    </ol>
  );
}

function useTranscript(run: string, effect: string) {
  const [state, setState] = useState<{
    readonly entries: readonly TranscriptEntry[];
    readonly complete: boolean;
    readonly error?: Error;
  }>(() => getReportTranscript(effect) ?? { entries: [], complete: !hasServer() });
  useEffect(() => {
    if (!hasServer()) return;
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout>;
    const read = async (after: number, before: readonly TranscriptEntry[]): Promise<void> => {
      const path = `/runs/${encodeURIComponent(run)}/transcript${buildQuery({ effect, after })}`;
      const { entries, next, complete } = await fetchJson<Transcript>(path, stop.signal);
      const all = [...before, ...entries];
      setState({ entries: all, complete });
      if (!complete) timer = setTimeout(() => read(next, all).catch(failed), entries.length > 0 ? 200 : RELOAD_MS);
    };
    const failed = (error: Error): void => {
      if (!stop.signal.aborted) setState((before) => ({ ...before, error }));
    };
    read(0, []).catch(failed);
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [run, effect]);
  return state;
}

export function PromptPanel({ run, row }: Props) {
  const effect = row.attempts.at(-1)?.effect ?? "";
  const path = `/runs/${encodeURIComponent(run)}/prompt${buildQuery({ effect })}`;
  const { value, error } = useFetched<{ readonly text: string }>(hasServer() ? path : null);
  if (!hasServer()) return <p className="pad quiet-text">Not included in this report.</p>;
  return value ? <pre className="pad wrap">{value.text}</pre> : <LoadingText error={error} what="the prompt" />;
}
