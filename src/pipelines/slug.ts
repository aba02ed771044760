const MAX_WORDS = 6;

/**
 * The folder name of a feature: the first words of the request, lower case, with dashes.
 * @rule L-32 (policy) The feature's folder is named by the first words of the request, and holds the request.
 */
export function slugOf(request: string): string {
  const words = request.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return words.slice(0, MAX_WORDS).join("-") || "feature";
}
