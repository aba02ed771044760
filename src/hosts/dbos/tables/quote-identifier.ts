/** Quotes a Postgres identifier. */
export const quoteIdentifier = (identifier: string): string => `"${identifier.replaceAll('"', '""')}"`;
