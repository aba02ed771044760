type NoteRule = { readonly words?: readonly string[] | undefined };
type ChoiceWithNote = { readonly choice: string; readonly note?: string | undefined };

/** Returns whether a choice that requires a note has none. The question then stays open. */
export function isMissingNote({ words = [] }: NoteRule, { choice, note = "" }: ChoiceWithNote): boolean {
  return words.includes(choice) && note.trim() === "";
}
