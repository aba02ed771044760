import type { Brief } from "../../src/core/authoring/brief.ts";
import type { Json } from "../../src/core/text/json.ts";
import { JsonView } from "./json-view.tsx";

/** What a question is about: what a person reads of it, and behind a fold what the agents wrote. */
export function Shown({ show, brief }: { readonly show: Json; readonly brief: Brief | null }) {
  if (brief === null) return <JsonView value={show} />;
  return (
    <>
      {brief.map(({ title, lines }) => (
        <section key={title}>
          <h3>{title}</h3>
          <ul className="plain-list">
            {lines.map((line, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a recorded list never changes its order.
              <li key={index} className="prose">
                {line}
              </li>
            ))}
          </ul>
        </section>
      ))}
      <details>
        <summary>As the agents wrote it</summary>
        <JsonView value={show} />
      </details>
    </>
  );
}
