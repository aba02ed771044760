import type { Finding } from "../../../src/core/authoring/finding.ts";
import type { RunPage } from "../../../src/views/page/page.ts";
import { groupRows } from "../run/rows.ts";

export type LocatedFinding = {
  readonly finding: Finding;
  readonly line: number | null;
  readonly where: string;
  readonly after: string;
};

/** Locates the findings of all gates by file, and by line if known. */
export function locateFindings({ rows }: RunPage): ReadonlyMap<string, readonly LocatedFinding[]> {
  const all = groupRows(rows).gates.flatMap((gate) =>
    gate.findings.flatMap((finding) =>
      (finding.files ?? []).map((file) => ({
        ...parseLocation(file),
        finding,
        where: `${gate.gate}, round ${gate.round}`,
        after: gate.then,
      })),
    ),
  );
  const once = [
    ...Map.groupBy(all, ({ path, line, finding }) => `${path} ${line} ${finding.severity} ${finding.message}`).values(),
  ];
  const merged = once.flatMap(([first, ...more]) =>
    first
      ? [
          {
            ...first,
            where: [first, ...more].map(({ where }) => where).join("; "),
            after: (more.at(-1) ?? first).after,
          },
        ]
      : [],
  );
  return Map.groupBy(merged, ({ path }) => path);
}

function parseLocation(file: string): { readonly path: string; readonly line: number | null } {
  const found = /^(.+?):(\d+)(?:[-:]\d+)?$/.exec(file);
  return found?.[1] ? { path: found[1], line: Number(found[2]) } : { path: file, line: null };
}
