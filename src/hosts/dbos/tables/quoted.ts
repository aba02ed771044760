/** Quotes a Postgres identifier. */
export const quoted = (identifier: string): string => `"${identifier.replaceAll('"', '""')}"`;
