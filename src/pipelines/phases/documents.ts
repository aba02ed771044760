import { filesSection, type Section } from "../../core/authoring/brief.ts";
import type { Verbs } from "../../core/authoring/verbs.ts";
import { counted } from "../../core/text/count.ts";

type RecordedVerbs<V> = { readonly verbs: V; readonly documents: ReadonlySet<string> };

/** Wraps `write` to record every document, so that the commit question can list them. */
export function recordDocuments<V extends Pick<Verbs<unknown>, "write">>(verbs: V): RecordedVerbs<V> {
  const documents = new Set<string>();
  const write: Verbs<unknown>["write"] = (path, text, options) => {
    documents.add(path);
    return verbs.write(path, text, options);
  };
  return { verbs: { ...verbs, write }, documents };
}

/** The engine places these files by the configuration, which a pipeline cannot read. */
const DOCUMENT_PLACES =
  "files below plans/ go where `documents:` in the configuration says; by default, into the commit";

export function formatDocumentsSection(paths: readonly string[]): Section {
  const { title, lines } = filesSection(`And ${counted(paths.length, "process document")}`, paths);
  return { title, lines: paths.length === 0 ? [] : [...lines, DOCUMENT_PLACES] };
}
