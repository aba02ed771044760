import type { RunLine } from "../../../src/surfaces/server/port/documents.ts";
import { useParam } from "../../app/router.tsx";
import { useNow } from "../../data/hooks.ts";
import { formatElapsed, formatQuantity, formatTimeOfDay } from "../../parts/format.ts";
import { isOver } from "../run/final-status.ts";
import { RunsTable } from "./runs-table.tsx";
import { Title } from "./title.tsx";

type Props = { readonly runs: readonly RunLine[]; readonly repositories: number; readonly title: string };

export function RecentTable({ runs, repositories, title }: Props) {
  const [state] = useParam("state");
  const [pipeline] = useParam("pipeline");
  const [repository] = useParam("repository");
  const [text, setText] = useParam("find");
  const shown = runs.filter(
    (run) =>
      (state === null || run.state === state) &&
      (pipeline === null || run.pipeline === pipeline) &&
      (repository === null || run.repository === repository) &&
      `${run.request} ${run.run} ${run.because}`.toLowerCase().includes((text ?? "").toLowerCase()),
  );
  return (
    <section>
      <div className="title-row">
        <Title text={title} count={shown.length} />
        <span className="quiet-text">{formatQuantity(repositories, "repository", "repositories")}</span>
        <input
          data-filter
          aria-label="Filter runs"
          placeholder="filter"
          value={text ?? ""}
          onChange={(event) => setText(event.target.value || null)}
        />
        <Pick name="state" all={runs.map((run) => run.state)} />
        <Pick name="pipeline" all={runs.map((run) => run.pipeline)} />
        <Pick name="repository" all={runs.map((run) => run.repository)} />
      </div>
      <div className="card scroll-x">
        <RunsTable runs={shown} columns={["Reason", { number: "When" }]} Cells={Ending} />
        {shown.length === 0 ? <p className="pad quiet-text">No matching runs.</p> : null}
      </div>
    </section>
  );
}

function Ending({ run }: { readonly run: RunLine }) {
  const now = useNow(false);
  const ended = isOver(run);
  return (
    <>
      <td className="wide">
        {run.because || run.waitsFor.text}
        <span className="second">{formatOpenWork(run)}</span>
      </td>
      <td className="num">
        {ended ? "ended" : "started"} {formatTimeOfDay(ended ? run.lastAt : run.startedAt, now)}
        <span className="second">
          {ended
            ? `took ${formatElapsed(run.lastAt - run.startedAt)}`
            : `waiting since ${formatTimeOfDay(run.waitsFor.since, now)}`}
        </span>
      </td>
    </>
  );
}

/** Formats the commit of a run and what still needs a person, like its own page. */
function formatOpenWork(run: RunLine): string {
  const commit = run.commit?.slice(0, 10) ?? "";
  return [
    ...(commit === "" || run.because.includes(commit) ? [] : [`commit ${commit}`]),
    ...(isOver(run) && run.waitsFor.needs !== "nobody" ? [run.waitsFor.text] : []),
  ].join(" · ");
}

function Pick({ name, all }: { readonly name: string; readonly all: readonly string[] }) {
  const [value, setValue] = useParam(name);
  const names = [...new Set(all)].toSorted();
  return (
    <select aria-label={`By ${name}`} value={value ?? ""} onChange={(event) => setValue(event.target.value || null)}>
      <option value="">{name}: all</option>
      {names.map((each) => (
        <option key={each} value={each}>
          {each}
        </option>
      ))}
    </select>
  );
}
