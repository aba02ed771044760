/**
 * Dollars, where `known + assumed + reserved = counted`: reported, assumed for attempts without a report, and reserved
 * for running attempts.
 */
export type Money = {
  readonly known: number;
  readonly assumed: number;
  readonly reserved: number;
  /** Amount that a budget counts. */
  readonly counted: number;
  /** Number of ended attempts that did not report their cost. */
  readonly unknown: number;
  /** Number of running attempts. */
  readonly open: number;
};

export function sumMoney(some: readonly Money[]): Money {
  const sum = (of: (money: Money) => number): number => some.reduce((total, each) => total + of(each), 0);
  const [known, assumed, reserved] = [
    sum((each) => each.known),
    sum((each) => each.assumed),
    sum((each) => each.reserved),
  ];
  return {
    known,
    assumed,
    reserved,
    counted: known + assumed + reserved,
    unknown: sum((each) => each.unknown),
    open: sum((each) => each.open),
  };
}
