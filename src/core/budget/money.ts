/** `known + assumed + reserved = counted`: dollars that were said, guessed for who did not say, kept for who works. */
export type Money = {
  readonly known: number;
  readonly assumed: number;
  readonly reserved: number;
  /** What a budget counts. */
  readonly counted: number;
  /** How many attempts have ended without saying what they cost. */
  readonly unknown: number;
  /** How many are at work. */
  readonly open: number;
};

export function sumOfMoney(some: readonly Money[]): Money {
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
