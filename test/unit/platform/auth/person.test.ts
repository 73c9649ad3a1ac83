import { expect, it } from "vitest";
import { readGroups } from "@/lib/platform/auth/people/person";

it("P3: a claim that is a text is one group, whatever it holds", () => {
  expect(readGroups({ groups: "fans of operators" }, "groups")).toEqual(["fans of operators"]);
  expect(readGroups({ groups: "staff,operators;admins" }, "groups")).toEqual(["staff,operators;admins"]);
});

it("P3: a list holds groups as they are; what is no text is none", () => {
  expect(readGroups({ groups: ["a b", 7, null, "c"] }, "groups")).toEqual(["a b", "c"]);
  expect(readGroups({ groups: { a: true } }, "groups")).toBeNull();
  expect(readGroups({}, "groups")).toBeNull();
});

it("P3: dots lead into objects, and never to what every object has", () => {
  expect(readGroups({ realm_access: { roles: ["a"] } }, "realm_access.roles")).toEqual(["a"]);
  expect(readGroups({ "realm_access.roles": ["b"], realm_access: { roles: ["a"] } }, "realm_access.roles")).toEqual([
    "b",
  ]);
  expect(readGroups({ realm_access: {} }, "realm_access.constructor.name")).toBeNull();
});
