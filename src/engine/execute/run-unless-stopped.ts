/** Returns undefined if the signal came before the end: errors after it are a result of the stop. */
export async function runUnlessStopped<T>(signal: AbortSignal, body: () => Promise<T>): Promise<T | undefined> {
  if (signal.aborted) return undefined;
  try {
    return await body();
  } catch (error) {
    if (!signal.aborted) throw error;
    return undefined;
  }
}
