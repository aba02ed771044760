import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from "react";

type Props<T> = {
  readonly items: readonly T[];
  readonly rowHeight: number;
  readonly render: (item: T, index: number) => ReactNode;
  readonly label: string;
  /** Where the one stands that is looked at, and which it is: another one is brought into sight, once. */
  readonly current?: number | undefined;
  readonly kept?: string | undefined;
};

/** Few rows are drawn as they are; of many, only those in sight and some beside them. */
const ALL_UP_TO = 40;
const BESIDE = 6;

export function VirtualRows<T>({ items, rowHeight, render, label, current, kept }: Props<T>) {
  const box = useRef<HTMLElement>(null);
  const [top, setTop] = useState(0);
  const [height, setHeight] = useState(600);
  const virtual = items.length > ALL_UP_TO;
  useLayoutEffect(() => {
    if (box.current && virtual) setHeight(box.current.clientHeight);
  }, [virtual]);
  const place = useRef(current);
  place.current = current;
  // Rows come and go above it while somebody reads elsewhere: that moves nothing.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `kept` is what brings another one into sight.
  useEffect(() => {
    if (box.current && place.current !== undefined && place.current >= 0) bring(box.current, place.current, rowHeight);
  }, [kept, rowHeight]);
  const first = virtual ? Math.max(0, Math.floor(top / rowHeight) - BESIDE) : 0;
  const last = virtual ? Math.min(items.length, Math.ceil((top + height) / rowHeight) + BESIDE) : items.length;
  return (
    <section
      ref={box}
      className={virtual ? "rows virtual" : "rows"}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
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

function bring(shown: HTMLElement, place: number, rowHeight: number): void {
  if (!shown.classList.contains("virtual")) {
    // It may give back a promise, which nobody waits for.
    void shown.children[0]?.children[0]?.children[place]?.scrollIntoView({ block: "nearest" });
    return;
  }
  const y = place * rowHeight;
  if (y < shown.scrollTop) shown.scrollTop = y;
  else if (y + rowHeight > shown.scrollTop + shown.clientHeight) shown.scrollTop = y + rowHeight - shown.clientHeight;
}
