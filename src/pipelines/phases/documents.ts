import { filesSection, type Section } from "../../core/authoring/brief.ts";
import type { Verbs } from "../../core/authoring/verbs.ts";
import { counted } from "../../core/text/counted.ts";

type Recorded<V> = { readonly verbs: V; readonly documents: ReadonlySet<string> };

/** The verbs of a run that knows which documents it has written: whoever commits is told of all of them. */
export function recordingDocuments<V extends Pick<Verbs<unknown>, "write">>(verbs: V): Recorded<V> {
  const documents = new Set<string>();
  const write: Verbs<unknown>["write"] = (path, text, options) => {
    documents.add(path);
    return verbs.write(path, text, options);
  };
  return { verbs: { ...verbs, write }, documents };
}

/** The engine places them by the configuration, which a pipeline does not know. */
const PLACED = "those below plans/ where `documents:` of the configuration says: with the work, unless it is set";

export function documentsSection(paths: readonly string[]): Section {
  const { title, lines } = filesSection(`And ${counted(paths.length, "document")} of the process`, paths);
  return { title, lines: paths.length === 0 ? [] : [...lines, PLACED] };
}
