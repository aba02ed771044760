/** Undefined where the signal came before the end: what went wrong then is of its making. */
export async function unlessStopped<T>(signal: AbortSignal, body: () => Promise<T>): Promise<T | undefined> {
  if (signal.aborted) return undefined;
  try {
    return await body();
  } catch (error) {
    if (!signal.aborted) throw error;
    return undefined;
  }
}
