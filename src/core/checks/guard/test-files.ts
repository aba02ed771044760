/**
 * Among the paths that a dispatch may write: test files, wherever this project keeps them. No glob can say that for every
 * language; an agent that reads it understands it as it stands.
 */
export const TEST_FILES = "(test files, wherever they lie)";
