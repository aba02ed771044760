import { changesIn, type Files, treeOf } from "../support/answers/paper-world.ts";

/** Short names for trees: the paper world's tree ids contain all files, which makes long journals. */
export type Trees = {
  /** Returns the name under which engines know the tree. */
  name(paper: string): string;
  paper(name: string): string;
  /** Returns what the tree adds to the run's base. */
  files(name: string): Files;
  of(files: Files): string;
};

export function createTrees(): Trees {
  const names = new Map<string, string>();
  const papers = new Map<string, string>();
  const name = (paper: string): string => {
    if (!paper.startsWith("tree-")) return paper;
    const known = names.get(paper);
    if (known) return known;
    const fresh = `t${names.size + 1}`;
    names.set(paper, fresh);
    papers.set(fresh, paper);
    return fresh;
  };
  const paper = (known: string): string => papers.get(known) ?? known;
  return {
    name,
    paper,
    files: (known) => changesIn(paper(known)),
    of: (files) => name(treeOf(files)),
  };
}
