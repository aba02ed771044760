type WordRule = { readonly words?: readonly string[] | undefined };
type ChoiceWithNote = { readonly choice: string; readonly note?: string | undefined };

/** The choice is nothing without a note, and there is none: whoever is asked has not answered. */
export function isWordless({ words = [] }: WordRule, { choice, note = "" }: ChoiceWithNote): boolean {
  return words.includes(choice) && note.trim() === "";
}
