export type Span = { readonly from: number; readonly to: number };

/** Long waits would leave no space for the work, so each gap is compressed to this share. */
const GAP_SHARE = 0.02;
const MIN_GAP_MS = 5000;

/** Creates a scale that maps times to positions between 0 and 1, and returns the compressed gaps. */
export function createTimeScale(spans: readonly Span[], range: Span) {
  const gaps = findGaps(spans, range).filter(
    ({ from, to }) => to - from > Math.max(MIN_GAP_MS, (range.to - range.from) / 8),
  );
  const folded = gaps.reduce((sum, { from, to }) => sum + to - from, 0);
  const shown = Math.max(1, range.to - range.from - folded);
  const room = 1 - gaps.length * GAP_SHARE;
  const at = (moment: number): number => {
    let before = 0;
    let seams = 0;
    for (const { from, to } of gaps) {
      if (moment <= from) break;
      before += Math.min(moment, to) - from;
      seams += (Math.min(moment, to) - from) / (to - from);
    }
    return ((moment - range.from - before) / shown) * room + seams * GAP_SHARE;
  };
  return { at, folded, gaps };
}

function findGaps(spans: readonly Span[], range: Span): readonly Span[] {
  const gaps: Span[] = [];
  let reached = range.from;
  for (const { from, to } of spans.toSorted((one, other) => one.from - other.from)) {
    if (from > reached) gaps.push({ from: reached, to: from });
    reached = Math.max(reached, to);
  }
  return gaps;
}
