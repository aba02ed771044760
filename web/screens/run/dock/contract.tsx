import type { Json } from "../../../../src/core/text/json.ts";
import type { DispatchRow } from "../../../../src/views/page/page.ts";
import { hasServer } from "../../../app/router.tsx";
import { buildQuery } from "../../../data/api.ts";
import { useFetched } from "../../../data/hooks.ts";
import { JsonView } from "../../../parts/json-view.tsx";
import { LoadingText } from "../../../parts/loading.tsx";

type Contract = { readonly raw: string | null; readonly contract: Json };

/** The parsed answer next to its text. */
export function ContractPanel({ run, row }: { readonly run: string; readonly row: DispatchRow }) {
  const attempt = row.attempts.at(-1)?.attempt;
  const path = `/runs/${encodeURIComponent(run)}/contract${buildQuery({ key: row.key, attempt })}`;
  const { value, error } = useFetched<Contract>(hasServer() ? path : null, row.seq);
  const contract = value?.contract ?? row.claim?.whole ?? null;
  if (!value && hasServer()) return <LoadingText error={error} what="the contract" />;
  return (
    <div className="beside">
      <div className="pad">
        <h3>Parsed</h3>
        <JsonView value={contract} />
      </div>
      <div className="pad">
        <h3>Text</h3>
        <pre className="wrap">{value?.raw ?? "not stored"}</pre>
      </div>
    </div>
  );
}
