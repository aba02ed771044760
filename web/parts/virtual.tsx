import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from "react";

type Props<T> = {
  readonly items: readonly T[];
  readonly rowHeight: number;
  readonly render: (item: T, index: number) => ReactNode;
  readonly label: string;
  /** The position of the selected item. */
  readonly current?: number | undefined;
  readonly kept?: string | undefined;
};

/** Renders short lists completely, and of long lists only the visible rows with a margin. */
const RENDER_ALL_BELOW = 40;
const MARGIN_ROWS = 6;

export function VirtualRows<T>({ items, rowHeight, render, label, current, kept }: Props<T>) {
  const box = useRef<HTMLElement>(null);
  const [top, setTop] = useState(0);
  const [height, setHeight] = useState(600);
  const virtual = items.length > RENDER_ALL_BELOW;
  useLayoutEffect(() => {
    if (box.current && virtual) setHeight(box.current.clientHeight);
  }, [virtual]);
  const place = useRef(current);
  place.current = current;
  // Rows that appear above must not scroll the view; only a new selection does.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of `kept` scrolls to the new selection.
  useEffect(() => {
    if (box.current && place.current !== undefined && place.current >= 0)
      scrollToRow(box.current, place.current, rowHeight);
  }, [kept, rowHeight]);
  const first = virtual ? Math.max(0, Math.floor(top / rowHeight) - MARGIN_ROWS) : 0;
  const last = virtual ? Math.min(items.length, Math.ceil((top + height) / rowHeight) + MARGIN_ROWS) : items.length;
  return (
    <section
      ref={box}
      className={virtual ? "rows virtual" : "rows"}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be reachable by keyboard.
      tabIndex={0}
      onScroll={virtual ? (event) => setTop(event.currentTarget.scrollTop) : undefined}
    >
      <div style={virtual ? { height: items.length * rowHeight } : undefined}>
        <div style={virtual ? { transform: `translateY(${first * rowHeight}px)` } : undefined}>
          {items.slice(first, last).map((item, index) => render(item, first + index))}
        </div>
      </div>
    </section>
  );
}

function scrollToRow(shown: HTMLElement, place: number, rowHeight: number): void {
  if (!shown.classList.contains("virtual")) {
    // The promise that some browsers return is not awaited.
    void shown.children[0]?.children[0]?.children[place]?.scrollIntoView({ block: "nearest" });
    return;
  }
  const y = place * rowHeight;
  if (y < shown.scrollTop) shown.scrollTop = y;
  else if (y + rowHeight > shown.scrollTop + shown.clientHeight) shown.scrollTop = y + rowHeight - shown.clientHeight;
}
