type Lists = Readonly<Record<string, readonly unknown[]>>;

/** Removes empty lists, so that a prompt has no empty fields. */
export function pickNonEmpty<T extends Lists>(lists: T): Partial<T> {
  // Fields are removed, never changed.
  return Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0)) as Partial<T>;
}
