import type { ReactNode } from "react";

type Props = {
  readonly children: ReactNode;
  readonly onPress: () => void;
  /** Why the button is disabled; displayed in the button. */
  readonly off?: string | null | undefined;
  readonly look?: "plain" | "primary" | "danger";
  readonly label?: string;
};

export function Button({ children, onPress, off, look = "plain", label }: Props) {
  const why = off ?? null;
  return (
    <button
      type="button"
      className={`button ${look}`}
      aria-disabled={why !== null || undefined}
      aria-label={label}
      onClick={why === null ? onPress : undefined}
    >
      {children}
      {why === null ? null : <span className="why-off">: {why}</span>}
    </button>
  );
}

export function Copy({ text, children = "Copy" }: { readonly text: string; readonly children?: ReactNode }) {
  return <Button onPress={() => void navigator.clipboard.writeText(text)}>{children}</Button>;
}

/** A terminal command with a copy button. */
export function Command({ line, says }: { readonly line: string; readonly says?: string }) {
  return (
    <div className="command">
      <code>{line}</code>
      {says ? <span className="quiet-text">{says}</span> : null}
      <Copy text={line} />
    </div>
  );
}
