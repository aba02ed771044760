/** A table column: text, a right-aligned number, or one whose title is visible to screen readers only. */
export type Column = string | { readonly number: string } | { readonly unseen: string };

/** The head of a table. */
export function Columns({ all }: { readonly all: readonly Column[] }) {
  return (
    <thead>
      <tr>
        {all.map((column) => (
          <Head key={getTitle(column)} column={column} />
        ))}
      </tr>
    </thead>
  );
}

function Head({ column }: { readonly column: Column }) {
  const title = getTitle(column);
  if (typeof column === "string") return <th scope="col">{title}</th>;
  if ("unseen" in column)
    return (
      <th scope="col">
        <span className="visually-hidden">{title}</span>
      </th>
    );
  return (
    <th scope="col" className="num">
      {title}
    </th>
  );
}

function getTitle(column: Column): string {
  if (typeof column === "string") return column;
  return "number" in column ? column.number : column.unseen;
}
