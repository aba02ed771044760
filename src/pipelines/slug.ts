const MAX_WORDS = 6;

/** The folder name of a feature: the first words of the request, lower case, with dashes. */
export function slugOf(request: string): string {
  const words = request.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return words.slice(0, MAX_WORDS).join("-") || "feature";
}
