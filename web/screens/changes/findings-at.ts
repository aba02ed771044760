import type { Finding } from "../../../src/core/authoring/finding.ts";
import type { RunPage } from "../../../src/views/page/page.ts";
import { byKind } from "../run/rows.ts";

export type Placed = {
  readonly finding: Finding;
  readonly line: number | null;
  readonly where: string;
  readonly after: string;
};

/** What was found in each file, and at which line where one was named. */
export function findingsAt({ rows }: RunPage): ReadonlyMap<string, readonly Placed[]> {
  const all = byKind(rows).gates.flatMap((gate) =>
    gate.findings.flatMap((finding) =>
      (finding.files ?? []).map((file) => ({
        ...placeOf(file),
        finding,
        where: `${gate.gate}, round ${gate.round}`,
        after: gate.then,
      })),
    ),
  );
  const once = new Map(all.map((each) => [`${each.path} ${each.line} ${each.finding.message} ${each.where}`, each]));
  return Map.groupBy(once.values(), ({ path }) => path);
}

function placeOf(file: string): { readonly path: string; readonly line: number | null } {
  const found = /^(.+?):(\d+)(?:[-:]\d+)?$/.exec(file);
  return found?.[1] ? { path: found[1], line: Number(found[2]) } : { path: file, line: null };
}
