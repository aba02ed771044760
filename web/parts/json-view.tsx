import type { Json } from "../../src/core/text/json.ts";

/** Displays any JSON value as text: a list of objects as a table, other values by name. */
export function JsonView({ value }: { readonly value: Json }) {
  if (value === null) return <span className="quiet-text">null</span>;
  if (typeof value !== "object") return <span className="prose">{String(value)}</span>;
  if (Array.isArray(value))
    return value.every(isRecord) && value.length > 0 ? <Records rows={value} /> : <List items={value} />;
  return (
    <dl className="fields">
      {Object.entries(value).map(([name, each]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <JsonView value={each ?? null} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

type Fields = { readonly [name: string]: Json };
const isRecord = (value: Json): value is Fields => typeof value === "object" && value !== null && !Array.isArray(value);

function List({ items }: { readonly items: readonly Json[] }) {
  if (items.length === 0) return <span className="quiet-text">none</span>;
  return (
    <ul className="plain-list">
      {items.map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a recorded list never changes its order.
        <li key={index}>
          <JsonView value={item} />
        </li>
      ))}
    </ul>
  );
}

/** On a phone each record is a block; on a wide page records share table columns. */
function Records({ rows }: { readonly rows: readonly Fields[] }) {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return (
    <div className="scroll-x">
      <table className="records">
        <thead>
          <tr>
            {names.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a recorded list never changes its order.
            <tr key={index}>
              {names.map((name) => (
                <td key={name} data-name={name}>
                  {row[name] === undefined ? <span className="quiet-text">–</span> : <JsonView value={row[name]} />}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
