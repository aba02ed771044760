import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { appendToList, removeMember, setMember } from "./json-edit.ts";

const TABBED = '{\n\t"items": [{"id": 1e2, "status": "ready", "tags": [ 1,2 ]}],\n\t"9": 1, "1": 2.50\n}\n';

describe("every other byte", () => {
  it("[R-27] stays when a value is replaced", () => {
    expect(setMember(TABBED, ["items", 0, "status"], "done")).toBe(TABBED.replace('"ready"', '"done"'));
  });

  it("[R-27] stays when a member is added in the style of the one before it", () => {
    expect(setMember(TABBED, ["items", 0, "why"], "x")).toBe(TABBED.replace("1,2 ]}", '1,2 ], "why": "x"}'));
    expect(setMember(TABBED, ["last"], true)).toBe(TABBED.replace("2.50", '2.50, "last": true'));
  });

  it("stays when a member is removed: the first, a middle one, the last, the only one, none", () => {
    const text = '{ "a": 1,\n  "b": "}",\n  "c": [] }';
    expect(removeMember(text, ["a"])).toBe('{ "b": "}",\n  "c": [] }');
    expect(removeMember(text, ["b"])).toBe('{ "a": 1,\n  "c": [] }');
    expect(removeMember(text, ["c"])).toBe('{ "a": 1,\n  "b": "}" }');
    expect(removeMember('{"a": 1}', ["a"])).toBe("{}");
    expect(removeMember(text, ["z"])).toBe(text);
  });

  it("keeps line ends and a byte-order mark", () => {
    const text = '\uFEFF{\r\n  "a": [\r\n    1\r\n  ]\r\n}\r\n';
    expect(appendToList(text, ["a"], [{ b: 2 }])).toBe(
      '\uFEFF{\r\n  "a": [\r\n    1,\r\n    {\r\n      "b": 2\r\n    }\r\n  ]\r\n}\r\n',
    );
  });
});

describe("lists", () => {
  it("grow at the end, are filled if empty and created if missing", () => {
    expect(appendToList('{"a": [1]}', ["a"], [2, 3])).toBe('{"a": [1,2,3]}');
    expect(appendToList('{\n  "a": []\n}', ["a"], [1])).toBe('{\n  "a": [\n    1\n  ]\n}');
    expect(appendToList('{\n  "x": 1\n}', ["a"], [1])).toBe('{\n  "x": 1,\n  "a": [\n    1\n  ]\n}');
  });
});

/** Negative zero is the only value that JSON reads and does not write. */
const value = fc.jsonValue().map((each) => JSON.parse(JSON.stringify(each)) as never);

describe("any document", () => {
  it("an edit of the text equals the edit of the parsed value", () => {
    const documents = fc.record({ list: fc.array(value), free: fc.dictionary(fc.string(), value), key: fc.string() });
    const spaces = fc.constantFrom(0, 2, "\t");
    fc.assert(
      fc.property(documents, spaces, value, (document, space, added) => {
        const text = JSON.stringify(document, null, space);
        const set = JSON.parse(setMember(text, ["free", document.key], added));
        expect(set.free).toEqual({ ...document.free, [document.key]: added });
        expect(JSON.parse(removeMember(text, ["list"]))).toEqual({ free: document.free, key: document.key });
        expect(JSON.parse(appendToList(text, ["list"], [added])).list).toEqual([...document.list, added]);
      }),
    );
  });
});
