import { z } from "zod";
import type { Artifact } from "./artifact.ts";
import { ARTIFACTS as clusters } from "./clusters/artifacts.ts";
import { ARTIFACTS as ledger } from "./ledger/documents/documents.ts";
import { ARTIFACTS as phases } from "./phases/artifacts.ts";
import { ARTIFACTS as roadmap } from "./roadmap/artifacts.ts";
import { ARTIFACTS as ticket } from "./ticket/artifacts.ts";

/** Structured files of the built-in pipelines, by pipeline name. */
export const ARTIFACTS: Readonly<Record<string, readonly Artifact[]>> = { roadmap, phases, ledger, clusters, ticket };

export type SchemaFile = {
  /** Path below `signalbox/schemas/`. */
  readonly file: string;
  readonly schema: Readonly<Record<string, unknown>>;
};

/**
 * Returns one JSON Schema per artifact. Everything the program writes is valid against it, and fields that people may
 * omit are optional.
 */
export function schemaFiles(): readonly SchemaFile[] {
  return Object.entries(ARTIFACTS).flatMap(([pipeline, artifacts]) =>
    artifacts.map(({ name, path, schema }) => {
      const { $schema, ...body } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
      const head = { $schema, title: `${pipeline}: ${name}`, description: path };
      return { file: schemaFile(pipeline, name), schema: { ...head, ...body } };
    }),
  );
}

export function schemaFile(pipeline: string, name: string): string {
  const slug = name
    .toLowerCase()
    .replace(/^an? |'s\b/g, "")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
  return `${pipeline}/${slug}.json`;
}
