type Lists = Readonly<Record<string, readonly unknown[]>>;

/** Without the empty ones: a prompt has no fields that say nothing. */
export function some<T extends Lists>(lists: T): Partial<T> {
  // Fields are only left out, none is changed.
  return Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0)) as Partial<T>;
}
