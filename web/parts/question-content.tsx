import type { Brief } from "../../src/core/authoring/brief.ts";
import type { Json } from "../../src/core/text/json.ts";
import { JsonView } from "./json-view.tsx";

/** The content of a question: its brief, with the agents' own text in a collapsed section. */
export function QuestionContent({ show, brief }: { readonly show: Json; readonly brief: Brief | null }) {
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
        <summary>Original text of the agents</summary>
        <JsonView value={show} />
      </details>
    </>
  );
}
