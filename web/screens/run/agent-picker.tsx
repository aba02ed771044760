import type { PipelineList } from "../../../src/surfaces/server/port/documents.ts";
import type { RunPage } from "../../../src/views/page/page.ts";
import { buildQuery } from "../../data/api.ts";
import { useFetched, useStore } from "../../data/hooks.ts";
import { groupRows } from "./rows.ts";

/** The selected driver by role. Other roles keep their agents. */
export type AgentChoices = Readonly<Record<string, string>>;

export const EVERY = "*";

/** Converts choices to `--agent` values. Values for named roles take precedence over `*`. */
export const toAgentFlags = (players: AgentChoices): readonly string[] =>
  Object.entries(players).flatMap(([role, driver]) => (driver === "" ? [] : [`${role}=${driver}`]));

type Props = {
  readonly page: RunPage;
  readonly players: AgentChoices;
  readonly onChange: (players: AgentChoices) => void;
};

/** Selects the agent for all roles, or for single roles of this run. */
export function AgentPicker({ page, players, onChange }: Props) {
  const here = useStore((store) => store.home.value?.repositories)?.find(({ name }) => name === page.head.repository);
  const { value } = useFetched<PipelineList>(here ? `/pipelines${buildQuery({ repository: here.id })}` : null);
  const drivers = value?.drivers ?? [];
  const roles = [...new Set(groupRows(page.rows).dispatches.map(({ role }) => role))];
  const choice = (role: string, label: string, placeholder: string) => (
    <label key={role} className="field">
      {label}
      <select
        value={players[role] ?? ""}
        onChange={(event) => onChange({ ...players, [role]: event.target.value })}
        disabled={drivers.length === 0}
      >
        <option value="">{placeholder}</option>
        {drivers.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
  const rest = players[EVERY] ? `like all roles: ${players[EVERY]}` : "configured agent";
  return (
    <>
      {choice(EVERY, "Agent", "configured agent")}
      {roles.length > 1 ? (
        <details>
          <summary>By role</summary>
          {roles.map((role) => choice(role, role, rest))}
        </details>
      ) : null}
    </>
  );
}
