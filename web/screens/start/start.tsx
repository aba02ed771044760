import { useState } from "react";
import type { PipelineList } from "../../../src/surfaces/server/port/documents.ts";
import { useLive } from "../../app/live.tsx";
import { navigate, toRunPath } from "../../app/router.tsx";
import { ApiError, buildQuery, postJson } from "../../data/api.ts";
import { useFetched, useStore } from "../../data/hooks.ts";
import { Button } from "../../parts/button.tsx";
import { InputFields, parseInputs } from "./inputs.tsx";

/** The form for `signalbox run`, with the same validation. */
export function StartScreen() {
  const repositories = useStore((store) => store.home.value?.repositories);
  const [repository, setRepository] = useState("");
  const chosen = repository || repositories?.[0]?.id || "";
  const { value } = useFetched<PipelineList>(chosen === "" ? null : `/pipelines${buildQuery({ repository: chosen })}`);
  const pipelines = value?.pipelines ?? [];
  const [pipeline, setPipeline] = useState("task");
  const declared = pipelines.find(({ name }) => name === pipeline)?.inputs;
  const inputs = (declared ?? []).filter(({ name }) => name !== "request");
  const asksRequest = declared === undefined || declared.some(({ name }) => name === "request");
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [agents, setAgents] = useState("");
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
      ...(asksRequest ? { request } : {}),
      input: parseInputs(inputs, values),
      approvals,
      ...(agents.trim() === "" ? {} : { agents: agents.trim().split(/[\s,]+/) }),
      ...(budget === "" ? {} : { budget: Number(budget) }),
    };
    try {
      navigate(toRunPath((await postJson<{ readonly run: string }>("/runs", body)).run));
    } catch (refused) {
      setError(refused instanceof Error ? refused : new Error(String(refused)));
      setBusy(false);
    }
  };
  const missing = inputs.find(({ name, needed }) => needed && !values[name]?.trim())?.name;
  const off = explainDisabled({ live, busy, missing: asksRequest && request.trim() === "" ? "request" : missing });
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
      {asksRequest ? (
        <label className="field">
          Request
          <textarea rows={4} value={request} onChange={(event) => setRequest(event.target.value)} />
        </label>
      ) : null}
      <InputFields
        inputs={inputs}
        values={values}
        onChange={(name, value) => setValues({ ...values, [name]: value })}
      />
      <label className="field">
        Agents
        <input
          value={agents}
          placeholder="configured agents, or role=driver separated by commas"
          onChange={(event) => setAgents(event.target.value)}
        />
      </label>
      <label className="field">
        Questions
        <select value={approvals} onChange={(event) => setApprovals(event.target.value)}>
          <option value="interactive">Wait for a person</option>
          <option value="autonomous">Use the default answer (some always wait)</option>
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

type FormState = { readonly live: boolean; readonly busy: boolean; readonly missing: string | undefined };

function explainDisabled({ live, busy, missing }: FormState): string | null {
  if (!live) return "not live";
  if (missing !== undefined) return missing === "request" ? "enter a request" : `${missing} is required`;
  return busy ? "starting" : null;
}
