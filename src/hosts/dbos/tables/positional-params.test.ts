import { describe, expect, test } from "vitest";
import { bindPositional } from "./positional-params.ts";

describe("numbered parameters", () => {
  test("each name gets one number, in order of first use", () => {
    expect(bindPositional("a = :one AND b = :two AND c = :one", { one: "x", two: 2 })).toEqual({
      text: "a = $1 AND b = $2 AND c = $1",
      values: ["x", 2],
    });
  });

  test("a colon in a string, a name, a comment or a cast is left alone", () => {
    const sql = `SELECT ':one', 'it''s :one', "a:one" /* :one */, x::text -- :one
      WHERE y = :one`;
    expect(bindPositional(sql, { one: 1 })).toEqual({ text: sql.replace("y = :one", "y = $1"), values: [1] });
  });

  test("null is written literally, so that it takes the type of its place", () => {
    expect(bindPositional("a = :none OR :none IS NULL", { none: null })).toEqual({
      text: "a = NULL OR NULL IS NULL",
      values: [],
    });
  });

  test("a closing semicolon is dropped, one inside a string is not", () => {
    expect(bindPositional("SELECT ';' ; -- done;", {}).text).toBe("SELECT ';'  -- done;");
  });
});
