import { z } from "zod";

/** Formats of path and query parameters. All other values are refused with the name of the parameter. */
export const Run = z.string().regex(/^[a-z0-9][a-z0-9-]{0,99}$/);
export const Id = z.string().regex(/^[\w.:-]{1,200}$/);
export const Seq = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
export const ObjectId = z.string().regex(/^[0-9a-f]{40}(?:[0-9a-f]{24})?$/);
export const Path = z.string().min(1).max(4_096);
export const Key = z.string().min(1).max(2_000);
export const Text = z.string().max(100_000);
/** A document whose format is described in the docs. */
export const Document = z.looseObject({});
export const RunParams = z.strictObject({ run: Run });
