import { useState } from "react";
import { useLive } from "../../app/live.tsx";
import { go, runPath } from "../../app/router.tsx";
import { ApiError, post, query } from "../../data/api.ts";
import { useGet, useStore } from "../../data/hooks.ts";
import type { Pipeline } from "../../data/types.ts";
import { Button } from "../../parts/button.tsx";

type Listed = readonly Pipeline[] | { readonly pipelines: readonly Pipeline[] };

/** What `signalbox run` asks for, with the same refusals. */
export function StartScreen() {
  const repositories = useStore((store) => store.home.value?.repositories);
  const [repository, setRepository] = useState("");
  const chosen = repository || repositories?.[0]?.id || "";
  const { value } = useGet<Listed>(chosen === "" ? null : `/pipelines${query({ repository: chosen })}`);
  const pipelines = value ? ("pipelines" in value ? value.pipelines : value) : [];
  const [pipeline, setPipeline] = useState("task");
  const [request, setRequest] = useState("");
  const [approvals, setApprovals] = useState("interactive");
  const [budget, setBudget] = useState("");
  const [error, setError] = useState<Error | null>(null);
  const [busy, setBusy] = useState(false);
  const live = useLive();
  const start = async (): Promise<void> => {
    setBusy(true);
    setError(null);
    const body = {
      repository: chosen,
      pipeline,
      request,
      approvals,
      ...(budget === "" ? {} : { budget: Number(budget) }),
    };
    try {
      go(runPath((await post<{ readonly run: string }>("/runs", body)).run));
    } catch (refused) {
      setError(refused instanceof Error ? refused : new Error(String(refused)));
      setBusy(false);
    }
  };
  const off = whyOff({ live, busy, request });
  return (
    <div className="page narrow">
      <h1 className="first-line">Start a run</h1>
      <label className="field">
        Repository
        <select value={chosen} onChange={(event) => setRepository(event.target.value)}>
          {(repositories ?? []).map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label className="field">
        Pipeline
        <select value={pipeline} onChange={(event) => setPipeline(event.target.value)}>
          {(pipelines.length > 0 ? pipelines : [{ name: "task" }]).map(({ name }) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
        <span className="quiet-text">{pipelines.find(({ name }) => name === pipeline)?.says}</span>
      </label>
      <label className="field">
        Request
        <textarea rows={4} value={request} onChange={(event) => setRequest(event.target.value)} />
      </label>
      <label className="field">
        Questions
        <select value={approvals} onChange={(event) => setApprovals(event.target.value)}>
          <option value="interactive">wait for a person</option>
          <option value="autonomous">take their own default; some wait in every mode</option>
        </select>
      </label>
      <label className="field">
        Budget in dollars
        <input
          inputMode="decimal"
          value={budget}
          placeholder="no limit"
          onChange={(event) => setBudget(event.target.value)}
        />
      </label>
      {error ? (
        <p className="bad" role="alert">
          {error.message} {error instanceof ApiError ? error.hint : ""}
        </p>
      ) : null}
      <Button look="primary" off={off} onPress={() => void start()}>
        Start
      </Button>
    </div>
  );
}

type Ready = { readonly live: boolean; readonly busy: boolean; readonly request: string };

function whyOff({ live, busy, request }: Ready): string | null {
  if (!live) return "not live";
  if (request.trim() === "") return "say what you want";
  return busy ? "asked for, not yet begun" : null;
}
