/**
 * Entry in the paths that a dispatch may write: the test files of this project. No glob describes them for every
 * language; an agent understands the words.
 */
export const TEST_FILES = "(test files, wherever they lie)";
