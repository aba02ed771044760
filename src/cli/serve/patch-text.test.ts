import { expect, test } from "vitest";
import { parseHunks, splitPatch } from "./patch-text.ts";

const TEXT = `diff --git a/a.txt b/a.txt
index 1..2 100644
--- a/a.txt
+++ b/a.txt
@@ -1,2 +1,3 @@ function x() {
 one
-two
+2
+--- a/evil.txt
@@ -10 +11 @@
-+++ b/evil.txt
\\ No newline at end of file
+x
diff --git a/gone b/gone
deleted file mode 100644
--- a/gone
+++ /dev/null
@@ -1 +0,0 @@
-x
diff --git a/old b/new name
similarity index 100%
rename from old
rename to new name
diff --git "a/t\\tb" "b/t\\tb"
--- "a/t\\tb"
+++ "b/t\\tb"
@@ -1 +1 @@
-a
+b
`;

test("a unified diff is split by file name, whatever its lines contain", () => {
  expect([...splitPatch(TEXT).keys()]).toEqual(["a.txt", "gone", "new name", "t\tb"]);
});

test("hunks start where their headers say and contain every line with its sign", () => {
  expect(parseHunks(splitPatch(TEXT).get("a.txt") ?? "")).toEqual([
    {
      header: "@@ -1,2 +1,3 @@ function x() {",
      oldStart: 1,
      newStart: 1,
      lines: [" one", "-two", "+2", "+--- a/evil.txt"],
    },
    {
      header: "@@ -10 +11 @@",
      oldStart: 10,
      newStart: 11,
      lines: ["-+++ b/evil.txt", "\\ No newline at end of file", "+x"],
    },
  ]);
});

test("the last section of a cut diff is omitted because it may be incomplete", () => {
  const cut = `${TEXT}# cut after 500 characters; all of it: git diff 1 2\n`;
  expect([...splitPatch(cut).keys()]).toEqual(["a.txt", "gone", "new name"]);
});
