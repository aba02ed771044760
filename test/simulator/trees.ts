import { changesIn, type Files, treeOf } from "../support/answers/paper-world.ts";

/** Short names for trees: the paper world writes a tree out in full, which makes long journals. */
export type Trees = {
  /** The name under which engines know the tree. */
  name(paper: string): string;
  paper(name: string): string;
  /** What it holds on top of the tree that the run starts from. */
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
