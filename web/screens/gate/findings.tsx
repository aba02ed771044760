import type { Finding } from "../../../src/core/authoring/finding.ts";
import { Glyph } from "../../parts/glyph.tsx";

/** Lists findings. Identical findings are merged and list all authors. */
export function FindingList({ findings }: { readonly findings: readonly Finding[] }) {
  const groups = [...Map.groupBy(findings, ({ severity, message }) => `${severity} ${message}`).values()];
  return (
    <ul className="findings">
      {groups.map((group) => {
        const [first] = group;
        if (!first) return null;
        const by = [...new Set(group.flatMap((each) => each.by ?? []))];
        const files = [...new Set(group.flatMap((each) => each.files ?? []))];
        return (
          <li key={`${first.severity} ${first.message}`}>
            <Glyph state={first.severity === "minor" || first.severity === "major" ? "revision" : "failed"} />{" "}
            {first.severity} · <strong className="prose">{first.message}</strong>
            {files.length > 0 ? (
              <>
                {" "}
                · <code>{files.join(", ")}</code>
              </>
            ) : null}
            {by.length > 0 ? <span className="second">reported by {by.join(" and ")}</span> : null}
            {first.output ? <pre className="wrap">{first.output}</pre> : null}
          </li>
        );
      })}
    </ul>
  );
}
