/** A name as Postgres takes every name. */
export const quoted = (identifier: string): string => `"${identifier.replaceAll('"', '""')}"`;
