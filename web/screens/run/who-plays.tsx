import type { PipelineList } from "../../../src/surfaces/server/port/answers.ts";
import type { RunPage } from "../../../src/views/page/page.ts";
import { query } from "../../data/api.ts";
import { useGet, useStore } from "../../data/hooks.ts";
import { byKind } from "./rows.ts";

/** The selected driver by role. Other roles keep their agents. */
export type Players = Readonly<Record<string, string>>;

export const EVERY = "*";

/** Converts choices to `--agent` values. Values for named roles take precedence over `*`. */
export const asFlags = (players: Players): readonly string[] =>
  Object.entries(players).flatMap(([role, driver]) => (driver === "" ? [] : [`${role}=${driver}`]));

type Props = { readonly page: RunPage; readonly players: Players; readonly onChange: (players: Players) => void };

/** Selects the agent for all roles, or for single roles of this run. */
export function WhoPlays({ page, players, onChange }: Props) {
  const here = useStore((store) => store.home.value?.repositories)?.find(({ name }) => name === page.head.repository);
  const { value } = useGet<PipelineList>(here ? `/pipelines${query({ repository: here.id })}` : null);
  const drivers = value?.drivers ?? [];
  const roles = [...new Set(byKind(page.rows).dispatches.map(({ role }) => role))];
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
