import type { PipelineList } from "../../../src/surfaces/server/port/answers.ts";
import type { RunPage } from "../../../src/views/page/page.ts";
import { query } from "../../data/api.ts";
import { useGet, useStore } from "../../data/hooks.ts";
import { byKind } from "./rows.ts";

/** The driver that was chosen for each role; what is not there is played as before. */
export type Players = Readonly<Record<string, string>>;

export const EVERY = "*";

/** As `--agent` takes them: the roles that were named count before all others. */
export const asFlags = (players: Players): readonly string[] =>
  Object.entries(players).flatMap(([role, driver]) => (driver === "" ? [] : [`${role}=${driver}`]));

type Props = { readonly page: RunPage; readonly players: Players; readonly onChange: (players: Players) => void };

/** One choice for all roles, and one for each that this run has had. */
export function WhoPlays({ page, players, onChange }: Props) {
  const here = useStore((store) => store.home.value?.repositories)?.find(({ name }) => name === page.head.repository);
  const { value } = useGet<PipelineList>(here ? `/pipelines${query({ repository: here.id })}` : null);
  const drivers = value?.drivers ?? [];
  const roles = [...new Set(byKind(page.rows).dispatches.map(({ role }) => role))];
  const choice = (role: string, label: string, otherwise: string) => (
    <label key={role} className="field">
      {label}
      <select
        value={players[role] ?? ""}
        onChange={(event) => onChange({ ...players, [role]: event.target.value })}
        disabled={drivers.length === 0}
      >
        <option value="">{otherwise}</option>
        {drivers.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
  const rest = players[EVERY] ? `as all: ${players[EVERY]}` : "as configured";
  return (
    <>
      {choice(EVERY, "Who plays", "as configured")}
      {roles.length > 1 ? (
        <details>
          <summary>Role by role</summary>
          {roles.map((role) => choice(role, role, rest))}
        </details>
      ) : null}
    </>
  );
}
