import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from "react";

type Props<T> = {
  readonly items: readonly T[];
  readonly rowHeight: number;
  readonly render: (item: T, index: number) => ReactNode;
  readonly label: string;
  /** This one is kept in sight. */
  readonly current?: number | undefined;
};

/** Few rows are drawn as they are; of many, only those in sight and some beside them. */
const ALL_UP_TO = 40;
const BESIDE = 8;

export function VirtualRows<T>({ items, rowHeight, render, label, current }: Props<T>) {
  const box = useRef<HTMLElement>(null);
  const [top, setTop] = useState(0);
  const [height, setHeight] = useState(600);
  const virtual = items.length > ALL_UP_TO;
  useLayoutEffect(() => {
    if (box.current && virtual) setHeight(box.current.clientHeight);
  }, [virtual]);
  useEffect(() => {
    const shown = box.current;
    if (!shown || current === undefined || current < 0) return;
    if (!virtual) {
      // It may give back a promise, which an effect must not.
      void shown.children[0]?.children[0]?.children[current]?.scrollIntoView({ block: "nearest" });
      return;
    }
    const y = current * rowHeight;
    if (y < shown.scrollTop) shown.scrollTop = y;
    else if (y + rowHeight > shown.scrollTop + shown.clientHeight) shown.scrollTop = y + rowHeight - shown.clientHeight;
  }, [current, rowHeight, virtual]);
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
