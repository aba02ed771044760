const MAX_WORDS = 6;

/** Returns the folder name of a feature: the first words of the request in kebab-case. */
export function toFeatureSlug(request: string): string {
  const words = request.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return words.slice(0, MAX_WORDS).join("-") || "feature";
}
