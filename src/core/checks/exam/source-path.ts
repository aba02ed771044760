import { getTestLanguage } from "../tamper/test-language.ts";

/**
 * Returns whether the file is program source in any language. Its name, its location and its users determine its
 * purpose.
 */
export function isSource(path: string): boolean {
  return getTestLanguage(path) !== undefined || OTHERS.test(path);
}

/** Returns whether the file is a header, which sources of C-like languages include as their own text. */
export function isHeader(path: string): boolean {
  return HEADER.test(path);
}

const HEADER = /\.(?:h|hh|hpp|hxx|h\+\+|inc|inl|ipp|tpp|cuh)$/;
const OTHERS = new RegExp(
  `${HEADER.source}|${
    /\.(?:c|cc|cpp|cxx|c\+\+|cu|mm?|kts|swift|fsx?|vb|pyi|pyx|pxd|exs?|erl|hrl|dart|lua|zig|nim|jl|l?hs|mli?|clj[cs]?|elm|[rR]|p[lm]|cr|d|f90|f95|svh?|vhdl?|pas|ad[bs]|sol|coffee|astro|el|vim|tcl|awk|sh|bash|zsh|fish|ksh|ps1|psm1|bat|cmd)$/
      .source
  }`,
);
