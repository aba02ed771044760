export function Title({
  text,
  count,
  warn,
}: {
  readonly text: string;
  readonly count: number;
  readonly warn?: boolean;
}) {
  return (
    <h2 className="section-title">
      {text} <span className={warn ? "badge warn" : "badge"}>{count}</span>
    </h2>
  );
}
